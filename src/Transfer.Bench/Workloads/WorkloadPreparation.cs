using System.Net;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Creates the objects that a workload downloads, and the files that it uploads, unless they are there already.</summary>
/// <param name="workload">The workload.</param>
/// <param name="bucket">The bucket.</param>
/// <param name="folder">The directory of the files on disk.</param>
/// <param name="client">The client.</param>
/// <param name="content">The content.</param>
internal sealed class WorkloadPreparation(WorkloadFile workload, string bucket, string folder, ITransferClient client, LoopedContent content)
{
    private const int AtOnce = 64;
    private readonly UploadOptions _upload = new() { Checksum = workload.Checksum ?? ChecksumAlgorithm.Auto, Resume = false };
    private int _objects;
    private int _files;

    /// <summary>Creates what is missing, or has another size, or doesn't have the checksum that downloads must verify.</summary>
    /// <returns>The number of created objects and files.</returns>
    public async Task<(int Objects, int Files)> RunAsync(CancellationToken cancellationToken)
    {
        IEnumerable<WorkloadTask> needed = workload.Tasks.Where(task => task.Action == WorkloadAction.Download || workload.FilesOnDisk).DistinctBy(task => task.Key);
        ParallelOptions options = new() { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(
            needed,
            options,
            async (task, token) => await (task.Action == WorkloadAction.Download ? PrepareObjectAsync(task, token) : PrepareFileAsync(task, token)).ConfigureAwait(false)).ConfigureAwait(false);
        return (_objects, _files);
    }

    private async Task PrepareObjectAsync(WorkloadTask task, CancellationToken cancellationToken)
    {
        if (!await IsThereAsync(task, cancellationToken).ConfigureAwait(false))
        {
            await client.UploadAsync(content.ToSequence(task.SizeBytes), bucket, task.Key, _upload, cancellationToken: cancellationToken).ConfigureAwait(false);
            Interlocked.Increment(ref _objects);
        }
    }

    private async Task<bool> IsThereAsync(WorkloadTask task, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo info = await client.GetInfoAsync(bucket, task.Key, cancellationToken: cancellationToken).ConfigureAwait(false);
            return info.Length == task.SizeBytes && (workload.Checksum is null || info.Checksum?.Algorithm == workload.Checksum);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return false;
        }
    }

    private async Task PrepareFileAsync(WorkloadTask task, CancellationToken cancellationToken)
    {
        FileInfo file = new(WorkloadPaths.GetPath(folder, task.Key));
        if (!file.Exists || file.Length != task.SizeBytes)
        {
            file.Directory!.Create();
            await content.WriteAsync(file.FullName, task.SizeBytes, cancellationToken).ConfigureAwait(false);
            Interlocked.Increment(ref _files);
        }
    }
}
