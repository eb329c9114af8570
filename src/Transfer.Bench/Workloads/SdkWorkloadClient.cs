using Amazon.S3.Transfer;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Transfers objects with the TransferUtility of the AWS SDK, with its defaults.</summary>
/// <param name="utility">The utility.</param>
/// <param name="bucket">The bucket.</param>
/// <param name="checksum">The checksum of uploads, by its S3 name; null for the default of the SDK.</param>
internal sealed class SdkWorkloadClient(ITransferUtility utility, string bucket, string? checksum) : IWorkloadClient
{
    private const int BufferBytes = 128 * 1024;

    /// <summary>Gets the limit of the Java runner. Unlike this library, the SDK doesn't queue the requests of a client, so each task would open connections.</summary>
    public int MaxConcurrentTasks => 1000;

    public Task UploadAsync(WorkloadTask task, string path, CancellationToken cancellationToken) => UploadAsync(new TransferUtilityUploadRequest { FilePath = path }, task, cancellationToken);

    public Task UploadAsync(WorkloadTask task, LoopedContent content, CancellationToken cancellationToken)
        => UploadAsync(new TransferUtilityUploadRequest { InputStream = content.OpenRead(task.SizeBytes) }, task, cancellationToken);

    public async Task<long> DownloadAsync(WorkloadTask task, string path, CancellationToken cancellationToken)
    {
        TransferUtilityDownloadRequest request = new() { BucketName = bucket, Key = task.Key, FilePath = path, MultipartDownloadType = MultipartDownloadType.RANGE };
        await utility.DownloadWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        return new FileInfo(path).Length;
    }

    public async Task<long> DiscardAsync(WorkloadTask task, CancellationToken cancellationToken)
    {
        TransferUtilityOpenStreamRequest request = new() { BucketName = bucket, Key = task.Key, MultipartDownloadType = MultipartDownloadType.RANGE };
        using TransferUtilityOpenStreamResponse response = await utility.OpenStreamWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        byte[] buffer = new byte[BufferBytes];
        long size = 0;
        int count;
        while ((count = await response.ResponseStream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false)) > 0)
        {
            size += count;
        }

        return size;
    }

    private Task UploadAsync(TransferUtilityUploadRequest request, WorkloadTask task, CancellationToken cancellationToken)
    {
        request.BucketName = bucket;
        request.Key = task.Key;
        request.ChecksumAlgorithm = checksum is null ? null : Amazon.S3.ChecksumAlgorithm.FindValue(checksum);
        return utility.UploadAsync(request, cancellationToken);
    }
}
