using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Probes a store, and writes what it supports.</summary>
/// <param name="address">Where objects can be created.</param>
/// <param name="store">The name of the store.</param>
/// <param name="client">The client of the store.</param>
/// <param name="invocation">The run of the command.</param>
internal sealed class DoctorRunner(Location address, string store, TransferClient client, Invocation invocation)
{
    private static readonly string[] Titles = ["ABILITY", "SUPPORT", "DESCRIPTION"];

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        StoreReport report = await client.ProbeStoreAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false);
        if (invocation.Output.Json)
        {
            DoctorJson result = new()
            {
                Store = store,
                KnownStore = report.KnownStore,
                Abilities = [.. report.Abilities.Select(static one => new AbilityJson(one.Name, one.Description, Name(one.Support), one.Detail.Length > 0 ? one.Detail : null))],
                LeftBehind = report.LeftBehind,
                RememberedIn = report.RememberedIn,
            };
            invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, result, ToolJsonContext.Default.DoctorJson);
        }
        else
        {
            Write(report);
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

    private void Write(StoreReport report)
    {
        TextTable.Write(invocation.Console.Output, Titles, [.. report.Abilities.Select(static one => new[] { one.Name, Name(one.Support), one.Description })], [false, false, false]);
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
        invocation.Summary($"{store}{known} supports {supported} of {Units.Count(report.Abilities.Count, "ability", "abilities")}"
            + (report.RememberedIn is { } file ? $"; remembered for 7 days in {Printable.Text(file)}" : string.Empty));
    }

    private static string Name(StoreSupport support) => support switch
    {
        StoreSupport.Supported => "yes",
        StoreSupport.Ignored => "ignored",
        StoreSupport.Refused => "refused",
        _ => "not known",
    };
}
