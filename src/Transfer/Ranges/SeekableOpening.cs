using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Requests;

namespace Transfer.S3.Ranges;

/// <summary>Opens seekable streams.</summary>
internal static class SeekableOpening
{
    public static async Task<SeekableObjectStream> RunAsync(TransferRun run, DownloadRequest request, SeekableReadOptions options, CancellationToken cancellationToken)
    {
        run.Client.EnterTransfer();
        SeekableReader? reader = null;
        try
        {
            ChunkLease floor = await StreamMemory.ReserveFloorAsync(run.Client.Pool, cancellationToken).ConfigureAwait(false);
            reader = new SeekableReader(run, request, floor, options);
            if (options.Open != SeekableOpen.OnDemand)
            {
                await reader.OpenAsync(options.Open == SeekableOpen.End, cancellationToken).ConfigureAwait(false);
            }

            return new SeekableObjectStream(reader, run);
        }
        catch (Exception e)
        {
            if (reader is not null)
            {
                await reader.DisposeAsync().ConfigureAwait(false);
            }

            await run.Reporter.EndAsync(e).ConfigureAwait(false);
            run.Client.LeaveTransfer();
            throw;
        }
    }
}
