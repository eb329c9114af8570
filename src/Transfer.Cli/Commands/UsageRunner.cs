using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Sums the objects under a prefix.</summary>
internal sealed class UsageRunner(ListSettings settings, TransferClient client, Invocation invocation)
{
    private const int SizeCells = 9;
    private const int CountCells = 15;

    public async Task RunAsync(int depth, CancellationToken cancellationToken)
    {
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        Location prefix = settings.Prefix;
        PrefixTotals totals = new(prefix.Key.LastIndexOf('/') + 1, depth, WritePrefix);
        await foreach (ListedObject item in client.ListObjectsAsync(prefix.Bucket, prefix.Key, settings.Options, cancellationToken).ConfigureAwait(false))
        {
            tally.Objects++;
            tally.Bytes += item.Length;
            totals.Add(item.Key, item.Length);
        }

        if (tally.Objects == 0)
        {
            await KeyAdvice.ExplainEmptyAsync(client, settings, "du", "add --any-prefix to count them", cancellationToken).ConfigureAwait(false);
        }

        totals.End();
        if (!invocation.Output.Json)
        {
            await invocation.Console.Output.WriteLineAsync(Format(new UsageJson(prefix.ToString(), tally.Objects, tally.Bytes))).ConfigureAwait(false);
        }
    }

    private void WritePrefix(string prefix, long objects, long bytes) => invocation.WriteLine(new UsageJson(prefix, objects, bytes), ToolJsonContext.Default.UsageJson, Format);

    private string Format(UsageJson row)
    {
        // Names must not control a terminal. Programs get them unchanged.
        string shown = invocation.Console.OutputIsTerminal ? Printable.Text(row.Prefix) : row.Prefix;
        return $"{ByteSize.Format(row.Bytes).PadLeft(SizeCells)}  {Units.Count(row.Objects, "object", "objects").PadLeft(CountCells)}  {shown}";
    }
}
