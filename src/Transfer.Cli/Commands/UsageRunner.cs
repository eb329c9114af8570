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
            WriteRow(prefix.ToString(), tally.Objects, tally.Bytes);
        }
    }

    private void WritePrefix(string prefix, long objects, long bytes)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(invocation.Console.Output, new UsageJson(prefix, objects, bytes), ToolJsonContext.Default.UsageJson);
        }
        else
        {
            WriteRow(prefix, objects, bytes);
        }
    }

    private void WriteRow(string name, long objects, long bytes)
    {
        // Names must not control a terminal. Programs get them unchanged.
        string shown = invocation.Console.OutputIsTerminal ? Printable.Text(name) : name;
        invocation.Console.Output.WriteLine($"{ByteSize.Format(bytes).PadLeft(SizeCells)}  {Units.Count(objects, "object", "objects").PadLeft(CountCells)}  {shown}");
    }
}
