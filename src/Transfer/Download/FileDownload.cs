using System.Net;
using Transfer.Concurrency;
using Transfer.Files;
using Transfer.Observability;
using Transfer.Resume;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>Downloads an object to a file. Parts are written at their offsets as they arrive.</summary>
internal static class FileDownload
{
    public static Task<DownloadResult> RunAsync(
        ClientContext context, DownloadRequest request, FileTarget target, TransferReporter reporter, CancellationToken cancellationToken)
        => PausableRun.RunAsync(reporter.Pause, (run, token) => RunAsync(context, request, target, reporter, run, token), reporter.StartAgain, cancellationToken);

    private static async Task<DownloadResult> RunAsync(
        ClientContext context, DownloadRequest request, FileTarget target, TransferReporter reporter, PausableRun? run, CancellationToken cancellationToken)
    {
        try
        {
            if (SmallFileDownload.Takes(request, context.Pool))
            {
                run?.AllowRestart(); // a single request
                return await SmallFileDownload.RunAsync(context, request, target, reporter, cancellationToken).ConfigureAwait(false);
            }

            if (request.Resumes)
            {
                run?.AllowRestart();
            }

            using PartialFile partial = new(target, request, context.Store, context.Logger);
            long? memory = request.IsPartSizeGiven ? null : long.MaxValue; // a part that is written to a file needs little memory, whatever its size
            using PartWindow window = new(
                context.Queue, reporter.Flow, request.Concurrency, request.IsConcurrencyGiven, memory, request.PartSizeBytes, reporter.Limits, context.Hedging);
            using FileSink sink = new(context.Pool, target, partial, window, DiskFlush.Instance, reporter);
            try
            {
                return await RunAsync(context, request, sink, reporter, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (ResumePolicy.CanResumeAfter(e) || (!sink.IsOpen && e is not TransferException { StatusCode: HttpStatusCode.NotFound })) // state that was not examined is kept
            {
                long kept = sink.Keep();
                reporter.AddKept(kept);
                (e as TransferException)?.BytesKept = kept;
                throw;
            }
        }
        catch (TransferException e) when (Failures.IsRangeIgnored(e) && request.StartsAtOnce)
        {
            reporter.StartAgain();
            return await RunAsync(context, request with { IsInOnePiece = true }, target, reporter, run, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            e.BelongsTo(request.Address); // an error such as a full disk doesn't contain the object
            throw;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"{request.Address} could not be written to '{target.Path}': {e.Message}", e) { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }
    }

    private static async Task<DownloadResult> RunAsync(
        ClientContext context, DownloadRequest request, FileSink sink, TransferReporter reporter, CancellationToken cancellationToken)
    {
        DownloadCoordinator coordinator = new(context, request, sink, reporter, cancellationToken);
        await using (coordinator.ConfigureAwait(false))
        {
            ObjectInfo info = await coordinator.StartAsync().ConfigureAwait(false);
            coordinator.Digest(sink.Handle);
            ChecksumVerdict verdict = await coordinator.FinishAsync().ConfigureAwait(false);
            sink.Publish(info);
            return OrderedDownload.Result(info, coordinator.Length, verdict, reporter);
        }
    }
}
