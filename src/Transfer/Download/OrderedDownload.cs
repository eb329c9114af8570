using System.Buffers;
using System.IO.Pipelines;
using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>A download whose bytes are wanted in order: by a reader, a stream or a pipe.</summary>
internal static class OrderedDownload
{
    /// <param name="context">What the client's transfers share.</param>
    /// <param name="request">What to download.</param>
    /// <param name="reporter">Counts the transfer.</param>
    /// <param name="ended">Told when all was read and verified, or what ended it before; the stream may be disposed only later.</param>
    /// <param name="cancellationToken">Ends the opening.</param>
    public static async Task<ObjectReadStream> OpenAsync(
        ClientContext context, DownloadRequest request, TransferReporter reporter, Func<Exception?, ValueTask> ended, CancellationToken cancellationToken)
    {
        context.EnterTransfer();
        PartBufferManager? parts = null;
        DownloadCoordinator? coordinator = null;
        try
        {
            long? memory = request.IsPartSizeGiven ? null : context.Pool.Budget.LimitOf(MemoryUse.ReadAhead);
            PartWindow window = new(
                context.Scheduler.Queue, reporter.Flow, request.Concurrency, request.IsConcurrencyGiven, memory, request.PartSizeBytes, reporter.Limits, context.Hedging);
            parts = await PartBufferManager.CreateAsync(context.Pool, window, reporter, cancellationToken).ConfigureAwait(false);

            // The caller's token ends the opening only: the stream lives on without it.
            coordinator = new DownloadCoordinator(context, request, parts, reporter, context.Stopping);
            ObjectInfo info = await coordinator.StartAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
            return new ObjectReadStream(info, coordinator, parts, reporter, ended, context.LeaveTransfer, context.Stopping);
        }
        catch (Exception e)
        {
            if (coordinator is not null)
            {
                await coordinator.DisposeAsync().ConfigureAwait(false);
            }

            parts?.Dispose();
            if (Failures.IsRangeIgnored(e) && request.StartsAtOnce)
            {
                context.LeaveTransfer();
                return await OpenAsync(context, request with { IsInOnePiece = true }, reporter, ended, cancellationToken).ConfigureAwait(false);
            }

            await ended(e).ConfigureAwait(false);
            context.LeaveTransfer();
            throw;
        }
    }

    /// <summary>Hands every chunk to <paramref name="write"/>, in order, and waits for it before the next.</summary>
    public static async Task<DownloadResult> RunAsync(
        ClientContext context,
        DownloadRequest request,
        Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask> write,
        TransferReporter reporter,
        CancellationToken cancellationToken)
    {
        ObjectReadStream stream = await OpenAsync(context, request, reporter, static _ => ValueTask.CompletedTask, cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            PipeReader reader = stream.Reader;
            while (true)
            {
                ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                ReadOnlySequence<byte> buffer = result.Buffer;
                foreach (ReadOnlyMemory<byte> memory in buffer)
                {
                    await write(memory, cancellationToken).ConfigureAwait(false);
                }

                reader.AdvanceTo(buffer.End);
                if (result.IsCompleted)
                {
                    stream.CountTail();
                    return Result(stream.Info, stream.Length, stream.Verdict!, reporter);
                }
            }
        }
    }

    public static DownloadResult Result(ObjectInfo info, long length, ChecksumVerdict verdict, TransferReporter reporter) => new()
    {
        Info = info,
        Verdict = verdict,
        BytesTransferred = length,
        BytesResumed = reporter.BytesResumed,
        Elapsed = reporter.Elapsed,
        Parts = reporter.Parts,
        Requests = reporter.Requests,
        Retries = reporter.Retries,
        Hedged = reporter.Hedged,
        Times = reporter.GetTimes(),
    };
}
