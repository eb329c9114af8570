namespace Transfer.S3.Bench.Workloads;

/// <summary>Transfers the objects of a workload with one library.</summary>
internal interface IWorkloadClient
{
    /// <summary>Gets the number of tasks that run at the same time, at most.</summary>
    int MaxConcurrentTasks { get; }

    /// <summary>Uploads a file.</summary>
    Task UploadAsync(WorkloadTask task, string path, CancellationToken cancellationToken);

    /// <summary>Uploads content from memory.</summary>
    Task UploadAsync(WorkloadTask task, LoopedContent content, CancellationToken cancellationToken);

    /// <summary>Downloads an object to a file, and returns its size.</summary>
    Task<long> DownloadAsync(WorkloadTask task, string path, CancellationToken cancellationToken);

    /// <summary>Downloads an object, discards its content, and returns its size.</summary>
    Task<long> DiscardAsync(WorkloadTask task, CancellationToken cancellationToken);
}
