using System.Net;
using Transfer.S3.Concurrency;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Downloads an object to a file. Parts are written at their offsets as they arrive.</summary>
internal static class FileDownload
{
    public static Task<CompletedDownload> RunAsync(TransferRun run, DownloadRequest request, FileTarget target, CancellationToken cancellationToken)
        => PausableRun.RunAsync(run.Reporter.Pause, (pausable, token) => RunAsync(run, request, target, pausable, token), run.Reporter.StartAgain, cancellationToken);

    private static async Task<CompletedDownload> RunAsync(
        TransferRun run, DownloadRequest request, FileTarget target, PausableRun? pausable, CancellationToken cancellationToken)
    {
        try
        {
            if (SmallFileDownload.Takes(request, run.Client.Pool))
            {
                pausable?.AllowRestart(); // a single request
                return await SmallFileDownload.RunAsync(run, request, target, cancellationToken).ConfigureAwait(false);
            }

            if (request.Resumes)
            {
                pausable?.AllowRestart();
            }

            using ReusableFile? reusable = await ReusableFile.OpenAsync(run, request, target, cancellationToken).ConfigureAwait(false);
            using PartialFile partial = new(target, request, run.Client.Store, run.Client.Logger);
            long? memory = request.IsPartSizeGiven ? null : long.MaxValue; // a part that is written to a file needs little memory, whatever its size
            using PartWindow window = run.NewWindow(request.MaxConcurrency, request.IsConcurrencyGiven, memory, request.PartSizeBytes);
            using FileSink sink = new(run.Client.Pool, target, partial, window, DiskFlush.Instance, run.Reporter, request.SumsContent, reusable);
            try
            {
                return await RunAsync(run, request, sink, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (ResumePolicy.CanResumeAfter(e) || (!sink.IsOpen && e is not TransferException { StatusCode: HttpStatusCode.NotFound })) // state that was not examined is kept
            {
                long kept = sink.Keep();
                run.Reporter.Bytes.AddKept(kept);
                (e as TransferException)?.BytesKept = kept;
                throw;
            }
        }
        catch (TransferException e) when (Failures.IsRangeIgnored(e) && request.StartsAtOnce)
        {
            run.Reporter.StartAgain();
            return await RunAsync(run, request with { IsInOnePiece = true }, target, pausable, cancellationToken).ConfigureAwait(false);
        }
        catch (ChecksumMismatchException) when (run.Reporter.Bytes.Resumed > 0)
        {
            // What an earlier run received may be what is damaged, or a part of the old file that only has the same checksum, so this says nothing about the store.
            // Nothing of it is left.
            run.Reporter.StartAgain();
            return await RunAsync(run, request with { ReusesParts = false }, target, pausable, cancellationToken).ConfigureAwait(false);
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

    private static async Task<CompletedDownload> RunAsync(TransferRun run, DownloadRequest request, FileSink sink, CancellationToken cancellationToken)
    {
        DownloadCoordinator coordinator = new(run, request, sink, cancellationToken);
        await using (coordinator.ConfigureAwait(false))
        {
            ObjectHead first = await coordinator.StartAsync().ConfigureAwait(false);
            coordinator.Digest(sink.Handle);
            ChecksumVerdict verdict = await coordinator.FinishAsync().ConfigureAwait(false);
            sink.Publish(first.Info);
            return CompletedDownload.From(first, coordinator.Length, verdict, run.Reporter, request.SumsContent ? () => sink.Sum(coordinator.Length) : null);
        }
    }
}
