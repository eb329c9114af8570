using System.Net;
using Samples;
using StreamingArchive;
using Transfer.S3;

const string Key = "samples/reports.zip";
const string BrokenKey = "samples/broken.zip";

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = !stop.IsCancellationRequested; // the first Ctrl+C stops the upload, and a second one ends the process
    stop.Cancel();
};

try
{
    await using SampleStore store = await SampleStore.OpenAsync(stop.Token);
    await using TransferClient client = new(store.S3);

    UploadResult result = await Archive.UploadAsync(client, store.Bucket, Key, Report.OfYear(isBroken: false), stop.Token);
    Console.WriteLine($"{Key}: {result.Statistics.BytesTransferred:N0} bytes in {result.Parts} parts, {result.Verdict}");

    try
    {
        await Archive.UploadAsync(client, store.Bucket, BrokenKey, Report.OfYear(isBroken: true), stop.Token);
    }
    catch (IOException e)
    {
        AbortUploadsResult uploads = await client.AbortUploadsAsync(store.Bucket, BrokenKey, new AbortUploadsOptions { DryRun = true }, stop.Token);
        Console.WriteLine($"{BrokenKey}: {e.Message}");
        Console.WriteLine($"{BrokenKey}: exists: {await ExistsAsync(client, store.Bucket, BrokenKey, stop.Token)}, incomplete uploads: {uploads.Aborted.Count}");
    }

    return 0;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    Console.Error.WriteLine("Canceled. No archive was published by the canceled upload.");
    return 130;
}
catch (TransferException e)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}

static async Task<bool> ExistsAsync(TransferClient client, string bucket, string key, CancellationToken cancellationToken)
{
    try
    {
        await client.GetInfoAsync(bucket, key, cancellationToken: cancellationToken);
        return true;
    }
    catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
    {
        return false;
    }
}
