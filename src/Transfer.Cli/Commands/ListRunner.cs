using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Lists page by page, so that a listing of any length takes the memory of a few pages.</summary>
internal sealed class ListRunner(TransferClient client, Invocation invocation)
{
    private readonly ListWriter _writer = new(invocation);

    public async Task ListBucketsAsync(CancellationToken cancellationToken)
    {
        long count = 0;
        await foreach (ListedBucket bucket in client.ListBucketsAsync(cancellationToken).ConfigureAwait(false))
        {
            count++;
            _writer.Bucket(bucket.Name, bucket.Created);
        }

        _writer.Total(Units.Count(count, "bucket", "buckets"));
    }

    public async Task ListObjectsAsync(ListSettings settings, CancellationToken cancellationToken)
    {
        Location prefix = settings.Prefix;
        int shown = settings.Options.Delimiter is null ? 0 : prefix.Key.LastIndexOf('/') + 1;
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        long prefixes = 0;
        await foreach (ListedObject item in client.ListObjectsAsync(prefix.Bucket, prefix.Key, settings.Options, cancellationToken).ConfigureAwait(false))
        {
            if (item.IsPrefix)
            {
                prefixes++;
                _writer.Prefix(item.Key, shown);
            }
            else
            {
                tally.Objects++;
                tally.Bytes += item.Length;
                _writer.Object(item, shown);
            }
        }

        if (tally.Objects + prefixes == 0)
        {
            await KeyAdvice.ExplainEmptyAsync(client, settings, "ls", "omit -r to list the object of this name, or add --any-prefix to list all of them", cancellationToken).ConfigureAwait(false);
        }

        string folders = prefixes == 0 ? string.Empty : $", {Units.Count(prefixes, "prefix", "prefixes")}";
        _writer.Total($"{Units.Count(tally.Objects, "object", "objects")}{folders}, {ByteSize.Format(tally.Bytes)}");
    }

    public async Task ListUploadsAsync(Location address, CancellationToken cancellationToken)
    {
        await foreach (UnfinishedUpload upload in client.ListUploadsAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false))
        {
            invocation.Tally.Objects++;
            _writer.Upload(upload);
        }

        _writer.Total(Units.Count(invocation.Tally.Objects, "incomplete upload", "incomplete uploads"));
    }
}
