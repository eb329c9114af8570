using Transfer.Buffers;
using Transfer.Download;
using Transfer.Observability;
using Transfer.Scheduling;

namespace Transfer.Seekable;

/// <summary>Opens seekable streams.</summary>
internal static class SeekableOpening
{
    public static async Task<SeekableObjectStream> RunAsync(
        ClientContext context, DownloadRequest request, SeekableReadOptions options, TransferReporter reporter, CancellationToken cancellationToken)
    {
        context.EnterTransfer();
        SeekableReader? reader = null;
        try
        {
            ChunkLease floor = await StreamMemory.ReserveFloorAsync(context.Pool, cancellationToken).ConfigureAwait(false);
            reader = new SeekableReader(context, request, floor, options.CacheRetention, reporter);
            if (options.Open != SeekableOpen.OnDemand)
            {
                await reader.OpenAsync(options.Open == SeekableOpen.End, cancellationToken).ConfigureAwait(false);
            }

            return new SeekableObjectStream(reader, reporter, context.LeaveTransfer, context.Stopping);
        }
        catch (Exception e)
        {
            if (reader is not null)
            {
                await reader.DisposeAsync().ConfigureAwait(false);
            }

            await reporter.EndAsync(e).ConfigureAwait(false);
            context.LeaveTransfer();
            throw;
        }
    }
}
