using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer du</c>: shows how much is stored under a prefix.</summary>
internal sealed class UsageCommand : StoreCommand
{
    private const int MaxDepth = 1024; // no key has more slashes
    private const int CountCells = 15;
    private readonly ListOptions _list = new("count", hasRecursive: false);
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]") { Description = "The bucket, or the prefix, which is the name of a folder, with or without a trailing /. " + ListOptions.Wildcards };
    private readonly Option<string?> _depth = Declare.Text(
        "--depth", "N", "Also sum each prefix that ends in /, up to N levels deep: 0 to 1024. Default: 0, only the total.");

    public UsageCommand(CommandRunner runner)
        : base(
            runner, "du", group: "List and inspect", summary: "Show how much is stored",
            description: "Show the number and the total size of the objects under a prefix. All keys are listed, with a request for every 1,000 objects. Old versions and incomplete uploads aren't counted.")
    {
        Examples =
        [
            ("transfer du s3://bucket", "Sum a bucket"),
            ("transfer du --bytes 's3://bucket/logs/2026-*'", "Sum what matches, exactly"),
            ("transfer du --depth 1 s3://bucket/photos/", "Sum each prefix under a prefix"),
            ("transfer du --in-storage-class GLACIER s3://bucket", "Sum what is in an archive"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or nothing matches, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Sums", [_depth, .. _list.All]);
        AddStore(entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), "du");
        ListSettings objects = ListSettings.Resolve(address, invocation.Values, _list, recursive: true, invocation.Time.GetUtcNow());
        int depth = invocation.Values.Line(_depth) is { } given ? OptionValues.Number(given, 0, MaxDepth) : 0;
        return UseClientAsync(
            invocation, "a whole bucket", [depth, objects], client => SumAsync(client, objects, depth, invocation, cancellationToken), cancellationToken);
    }

    /// <summary>Sums the objects under a prefix.</summary>
    internal static async Task SumAsync(TransferClient client, ListSettings settings, int depth, Invocation invocation, CancellationToken cancellationToken)
    {
        settings = await settings.ExpandAsync(client, cancellationToken).ConfigureAwait(false);
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        Location prefix = settings.Prefix;
        PrefixTotals totals = new(
            prefix.Key.LastIndexOf('/') + 1,
            depth,
            (name, objects, bytes) => invocation.WriteLine(new UsageJson(name, objects, bytes), ToolJsonContext.Default.UsageJson, row => Format(row, settings.Sizes, invocation)));
        await foreach (ListedObject item in client.ListObjectsAsync(prefix.Bucket, prefix.Key, settings.Options, cancellationToken).ConfigureAwait(false))
        {
            tally.Objects++;
            tally.Bytes += item.Length;
            totals.Add(item.Key, item.Length);
        }

        if (tally.Objects == 0)
        {
            await KeyAdvice.ExplainEmptyAsync(client, settings, "add --any-prefix to count them", cancellationToken).ConfigureAwait(false);
        }

        totals.End();
        invocation.WriteLine(
            new UsageJson(settings.Shown.ToString(), tally.Objects, tally.Bytes), ToolJsonContext.Default.UsageJson, row => Format(row, settings.Sizes, invocation));
    }

    private static string Format(UsageJson row, SizeText sizes, Invocation invocation)
    {
        // Names must not control a terminal. Programs get them unchanged.
        string shown = invocation.Console.OutputIsTerminal ? Printable.Text(row.Prefix) : row.Prefix;
        return $"{sizes.Cell(row.Bytes)}  {Units.Count(row.Objects, "object", "objects").PadLeft(CountCells)}  {shown}";
    }
}
