using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Transfers objects with this library. It isn't told their sizes beforehand, because other clients aren't either.</summary>
/// <param name="client">The client.</param>
/// <param name="bucket">The bucket.</param>
/// <param name="checksum">The checksum of uploads; none to verify neither uploads nor downloads.</param>
/// <param name="mustVerify">Whether a download fails if it can't be verified.</param>
internal sealed class TransferWorkloadClient(ITransferClient client, string bucket, ChecksumAlgorithm checksum, bool mustVerify) : IWorkloadClient
{
    // A run must not continue what an earlier one has left.
    private readonly UploadOptions _upload = new() { Checksum = checksum, Resume = false };
    private readonly DownloadOptions _download = new() { Verify = checksum != ChecksumAlgorithm.None, Resume = false };

    // All tasks begin at once. The client queues their requests.
    public int MaxConcurrentTasks => int.MaxValue;

    public Task UploadAsync(WorkloadTask task, string path, CancellationToken cancellationToken)
        => client.UploadAsync(path, bucket, task.Key, _upload, cancellationToken: cancellationToken);

    public Task UploadAsync(WorkloadTask task, LoopedContent content, CancellationToken cancellationToken)
        => client.UploadAsync(content.ToSequence(task.SizeBytes), bucket, task.Key, _upload, cancellationToken: cancellationToken);

    public async Task<long> DownloadAsync(WorkloadTask task, string path, CancellationToken cancellationToken)
        => Check(task, await client.DownloadAsync(bucket, task.Key, path, _download, cancellationToken: cancellationToken).ConfigureAwait(false));

    public async Task<long> DiscardAsync(WorkloadTask task, CancellationToken cancellationToken)
        => Check(task, await client.DownloadAsync(bucket, task.Key, Stream.Null, _download, cancellationToken: cancellationToken).ConfigureAwait(false));

    private long Check(WorkloadTask task, DownloadResult result) => !mustVerify || result.Verdict.IsVerified ? result.Statistics.BytesTransferred
        : throw new WorkloadException($"s3://{bucket}/{Printable.Text(task.Key)} was not verified, but the workload demands it: {result.Verdict.Reason}", task.Key);
}
