using Transfer.S3;

namespace BrowserUpload;

/// <summary>Aborts uploads that nobody has completed within two days: their parts use storage.</summary>
internal sealed class AbandonedUploads(ITransferClient client, string bucket) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using PeriodicTimer timer = new(TimeSpan.FromHours(1));
        do
        {
            try
            {
                await client.AbortUploadsAsync(bucket, Uploads.Prefix, new AbortUploadsOptions { OlderThan = TimeSpan.FromDays(2) }, stoppingToken);
            }
            catch (TransferException)
            {
                // The library has logged it, and the next hour tries again.
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }
}
