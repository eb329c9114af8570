using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Sums the objects under a prefix.</summary>
internal sealed class UsageRunner(Location address, IAmazonS3 s3, Invocation invocation)
{
    private const int SizeCells = 9;
    private const int CountCells = 15;

    public async Task RunAsync(int depth, CancellationToken cancellationToken)
    {
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        PrefixTotals totals = new(address.Key.LastIndexOf('/') + 1, depth, WritePrefix);
        await foreach (ListObjectsV2Response page in StoreListing.ReadObjectsAsync(s3, address, delimiter: null, tally, cancellationToken).ConfigureAwait(false))
        {
            foreach (S3Object item in page.S3Objects ?? [])
            {
                tally.Objects++;
                tally.Bytes += item.Size ?? 0;
                totals.Add(item.Key, item.Size ?? 0);
            }
        }

        if (address.Key.Length > 0 && tally.Objects == 0)
        {
            throw new TransferException($"{address}: no objects found") { Bucket = address.Bucket, Key = address.Key };
        }

        totals.End();
        if (!invocation.Output.Json)
        {
            WriteRow(address.ToString(), tally.Objects, tally.Bytes);
        }
    }

    private void WritePrefix(string prefix, long objects, long bytes)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(invocation.Console.Output, new UsageJson(prefix, objects, bytes), ToolJsonContext.Instance.UsageJson);
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
        invocation.Console.Output.WriteLine($"{Units.Size(bytes).PadLeft(SizeCells)}  {Units.Count(objects, "object", "objects").PadLeft(CountCells)}  {shown}");
    }
}
