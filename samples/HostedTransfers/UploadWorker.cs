using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Samples;
using Transfer.S3;

namespace HostedTransfers;

/// <summary>Uploads the files of the outbox. If the host stops, uploads are interrupted, and the next start of the application resumes them.</summary>
internal sealed partial class UploadWorker(
    ITransferClient client, Outbox outbox, SampleStore store, IHostApplicationLifetime lifetime, ILogger<UploadWorker> logger) : BackgroundService
{
    private const string Prefix = "samples/outbox/";
    private const int MaxConcurrentFiles = 4;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // All uploads share the memory and the request slots of the client, so several files at a time don't need more of either.
        ParallelOptions options = new() { MaxDegreeOfParallelism = MaxConcurrentFiles, CancellationToken = stoppingToken };
        await Parallel.ForEachAsync(outbox.ReadAllAsync(stoppingToken), options, UploadAsync);
        lifetime.StopApplication(); // the queue has ended
    }

    private async ValueTask UploadAsync(string file, CancellationToken cancellationToken)
    {
        string name = Path.GetFileName(file);
        UploadProgress progress = new(logger, name);
        try
        {
            // Uploads of files are resumable by default. A canceled one keeps the parts that the store has confirmed.
            UploadResult result = await client.UploadAsync(file, store.Bucket, Prefix + name, progress: progress, cancellationToken: cancellationToken);
            Outbox.Remove(file);
            Uploaded(name, result.Statistics.BytesTransferred, result.Statistics.BytesResumed, result.Verdict);
        }
        catch (OperationCanceledException)
        {
            Interrupted(name, progress.BytesKept);
            throw;
        }
        catch (Exception e) when (e is TransferException or IOException or UnauthorizedAccessException)
        {
            // The file stays in the outbox for the next start. Other files are still uploaded.
            Failed(name, progress.BytesKept, e);
        }
    }

    [LoggerMessage(2, LogLevel.Information, "{File}: uploaded {Bytes:N0} bytes, of which {Resumed:N0} were there from an earlier run, {Verdict}")]
    private partial void Uploaded(string file, long bytes, long resumed, ChecksumVerdict verdict);

    [LoggerMessage(3, LogLevel.Information, "{File}: interrupted, {Kept:N0} bytes don't have to be sent again")]
    private partial void Interrupted(string file, long kept);

    [LoggerMessage(4, LogLevel.Error, "{File}: failed, {Kept:N0} bytes don't have to be sent again")]
    private partial void Failed(string file, long kept, Exception exception);
}
