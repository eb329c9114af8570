using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer doctor</c>: shows what a store supports.</summary>
internal sealed class DoctorCommand : StoreCommand
{
    private static readonly string[] Titles = ["ABILITY", "SUPPORT", "DESCRIPTION"];
    private readonly Argument<string> _address = new("s3://BUCKET/PREFIX") { Description = "A bucket, or a prefix in it, where objects can be created and deleted." };

    public DoctorCommand(CommandRunner runner)
        : base(
            runner, "doctor", group: "List and inspect", summary: "Show what a store supports",
            description: "Find out what a store supports, with about 170 requests and objects of its own, which are removed at the end. The other commands use the result for seven days.")
    {
        Examples =
        [
            ("transfer doctor s3://bucket", "Probe the store of a bucket"),
            ("transfer doctor s3://bucket/scratch --json", "Create the objects under a prefix, and write the result as JSON"),
        ];
        Notes =
        [
            "The objects are in a folder whose name begins with transfer-probe-, and have about 26 MiB.",
            "Run the command again after the store was upgraded, or after the permissions have changed.",
            "Exit codes: 0 success, whatever the store supports; 1 no object could be created, or some could not be removed; 2 usage or configuration error; 130 interrupted.",
        ];
        Add(_address);
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), Name);
        return UseClientAsync(invocation, Name, [address], client => ProbeAsync(client, address, invocation, cancellationToken), cancellationToken);
    }

    private static async Task ProbeAsync(TransferClient client, Location address, Invocation invocation, CancellationToken cancellationToken)
    {
        StoreReport report = await client.ProbeStoreAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false);
        if (invocation.Output.Json)
        {
            DoctorJson result = new()
            {
                Store = invocation.StoreName!,
                KnownStore = report.KnownStore,
                Abilities = [.. report.Abilities.Select(static one => new AbilityJson(one.Name, one.Description, GetName(one.Support), one.Detail.Length > 0 ? one.Detail : null))],
                LeftBehind = report.LeftBehind,
                RememberedIn = report.RememberedIn,
            };
            invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, result, ToolJsonContext.Default.DoctorJson);
        }
        else
        {
            Write(report, invocation);
        }

        foreach (string key in report.LeftBehind)
        {
            invocation.Warning($"could not remove s3://{Printable.Text($"{address.Bucket}/{key}")}");
        }

        if (report.LeftBehind.Count > 0)
        {
            throw new TransferException($"{Units.Count(report.LeftBehind.Count, "object or upload", "objects or uploads")} of the probe could not be removed");
        }
    }

    private static void Write(StoreReport report, Invocation invocation)
    {
        TextTable.Write(invocation.Console.Output, Titles, [.. report.Abilities.Select(static one => new[] { one.Name, GetName(one.Support), one.Description })], [false, false, false]);
        StoreAbility[] explained = [.. report.Abilities.Where(static one => one.Detail.Length > 0)];
        if (explained.Length > 0)
        {
            invocation.Console.Output.WriteLine();
        }

        foreach (StoreAbility one in explained)
        {
            invocation.Console.Output.WriteLine($"{one.Name}: {Printable.Line(one.Detail)}");
        }

        invocation.Console.Flush();
        string known = report.KnownStore is { } name ? $" ({name})" : string.Empty;
        int supported = report.Abilities.Count(static one => one.Support == StoreSupport.Supported);
        invocation.Summary($"{invocation.StoreName}{known} supports {supported} of {Units.Count(report.Abilities.Count, "ability", "abilities")}"
            + (report.RememberedIn is { } file ? $"; remembered for 7 days in {Printable.Text(file)}" : string.Empty));
    }

    private static string GetName(StoreSupport support) => support switch
    {
        StoreSupport.Supported => "yes",
        StoreSupport.Ignored => "ignored",
        StoreSupport.Refused => "refused",
        _ => "not known",
    };
}
