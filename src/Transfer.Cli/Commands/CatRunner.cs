using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes objects to standard output, one after the other. Nothing is written to standard error unless something fails.</summary>
internal sealed class CatRunner(ClientLimits limits, DownloadOptions options, Connection connection, Invocation invocation)
{
    public async Task RunAsync(IReadOnlyList<Location> objects, CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation.Observe(limits.ToClientOptions()));
        await using (client.ConfigureAwait(false))
        {
            try
            {
                Stream output = StandardStreams.OpenOutput();
                await using (output.ConfigureAwait(false))
                {
                    foreach (Location one in objects)
                    {
                        Count(await DownloadAsync(client, one, output, cancellationToken).ConfigureAwait(false));
                    }
                }
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = client.PeakRentedBytes;
                invocation.Tally.Concurrency = ConcurrencyJson.From(client);
            }
        }
    }

    private async Task<DownloadResult> DownloadAsync(TransferClient client, Location one, Stream output, CancellationToken cancellationToken)
    {
        try
        {
            return await client.DownloadAsync(one.Bucket, one.Key, output, options, progress: null, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation).ExplainAsync(
                one, prefix => $"'transfer ls {prefix}' lists them", options.RequesterPays, e, cancellationToken).ConfigureAwait(false);
        }
    }

    private void Count(DownloadResult result)
    {
        Tally tally = invocation.Tally;
        tally.Objects++;
        tally.Bytes += result.Statistics.BytesTransferred;
        tally.Requests += result.Statistics.Requests;
        tally.Retries += result.Statistics.Retries;

        // Times and checksums of several objects have no sum.
        tally.Checksum = tally.Objects == 1 ? ChecksumJson.From(result.Verdict) : ChecksumJson.None;
    }
}
