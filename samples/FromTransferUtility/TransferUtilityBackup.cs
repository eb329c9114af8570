using Amazon.S3.Transfer;

namespace FromTransferUtility;

/// <summary>
/// Before: the API of the AWS SDK. With <see cref="Transfer.S3.TransferUtility.TransferUtilityAdapter"/> instead of <see cref="TransferUtility"/>, nothing in this class changes.
/// </summary>
internal sealed class TransferUtilityBackup(ITransferUtility transfers, string bucket) : IBackup
{
    public async Task SaveAsync(string path, string key, CancellationToken cancellationToken)
    {
        TransferUtilityUploadRequest request = new() { BucketName = bucket, Key = key, FilePath = path, PartSize = 8 << 20 };
        request.Metadata.Add("source", Path.GetFileName(path));
        request.UploadProgressEvent += (_, e) => ProgressLine.Show(e.TransferredBytes, e.TotalBytes);
        await transfers.UploadAsync(request, cancellationToken);
        Console.WriteLine($"  saved {new FileInfo(path).Length:N0} bytes");
    }

    public async Task RestoreAsync(string key, string path, CancellationToken cancellationToken)
    {
        await transfers.DownloadAsync(path, bucket, key, cancellationToken);
        Console.WriteLine($"  restored {new FileInfo(path).Length:N0} bytes");
    }

    public async Task<long> CountLinesAsync(string key, CancellationToken cancellationToken)
    {
        await using Stream stream = await transfers.OpenStreamAsync(bucket, key, cancellationToken);
        return await Lines.CountAsync(stream, cancellationToken);
    }

    public async Task SaveDirectoryAsync(string directory, string prefix, CancellationToken cancellationToken)
    {
        TransferUtilityUploadDirectoryRequest request = new()
        {
            BucketName = bucket,
            Directory = directory,
            KeyPrefix = prefix,
            SearchOption = SearchOption.AllDirectories,
        };
        await transfers.UploadDirectoryAsync(request, cancellationToken);
        Console.WriteLine($"  saved {Directory.GetFiles(directory, "*", SearchOption.AllDirectories).Length} files");
    }
}
