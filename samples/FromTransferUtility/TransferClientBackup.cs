using Transfer.S3;

namespace FromTransferUtility;

/// <summary>After: the API of the library. Results tell what was verified and resumed, and streams are read in order while they are fetched in parallel.</summary>
internal sealed class TransferClientBackup(ITransferClient client, string bucket) : IBackup
{
    public async Task SaveAsync(string path, string key, CancellationToken cancellationToken)
    {
        UploadOptions options = new() { PartSizeBytes = 8 << 20, Metadata = new Dictionary<string, string> { ["source"] = Path.GetFileName(path) } };
        Progress<TransferProgress> progress = new(value => ProgressLine.Show(value.BytesTransferred, value.TotalBytes));
        UploadResult result = await client.UploadAsync(path, bucket, key, options, progress, cancellationToken);
        Console.WriteLine($"  saved {result.Statistics.BytesTransferred:N0} bytes, {result.Verdict}");
    }

    public async Task RestoreAsync(string key, string path, CancellationToken cancellationToken)
    {
        DownloadResult result = await client.DownloadAsync(bucket, key, path, cancellationToken: cancellationToken);
        Console.WriteLine($"  restored {result.Statistics.BytesTransferred:N0} bytes, {result.Verdict}");
    }

    public async Task<long> CountLinesAsync(string key, CancellationToken cancellationToken)
    {
        await using ObjectReadStream stream = await client.OpenReadAsync(bucket, key, cancellationToken: cancellationToken);
        return await Lines.CountAsync(stream, cancellationToken);
    }

    public async Task SaveDirectoryAsync(string directory, string prefix, CancellationToken cancellationToken)
    {
        DirectoryResult result = await client.UploadDirectoryAsync(directory, bucket, prefix, cancellationToken: cancellationToken);
        Console.WriteLine($"  saved {result.Counts.Copied} files, {result.Counts.Failed} failed");
    }
}
