using Transfer.S3.Bench.Workloads;

namespace Transfer.S3.Tests.Bench.Workloads;

/// <summary>Records the tasks. A test decides what each of them does.</summary>
internal sealed class FakeWorkloadClient : IWorkloadClient
{
    private readonly Lock _gate = new();

    public int MaxConcurrentTasks { get; init; } = int.MaxValue;

    /// <summary>Gets what was called, in order.</summary>
    public List<string> Calls { get; } = [];

    /// <summary>Gets or sets the transfer of a task. It returns the size of the object.</summary>
    public Func<WorkloadTask, CancellationToken, Task<long>> Transfer { get; set; } = static (task, _) => Task.FromResult(task.SizeBytes);

    public Task UploadAsync(WorkloadTask task, string path, CancellationToken cancellationToken) => RunAsync("upload file", task, cancellationToken);

    public Task UploadAsync(WorkloadTask task, LoopedContent content, CancellationToken cancellationToken) => RunAsync("upload memory", task, cancellationToken);

    public Task<long> DownloadAsync(WorkloadTask task, string path, CancellationToken cancellationToken) => RunAsync("download file", task, cancellationToken);

    public Task<long> DiscardAsync(WorkloadTask task, CancellationToken cancellationToken) => RunAsync("discard", task, cancellationToken);

    private Task<long> RunAsync(string call, WorkloadTask task, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            Calls.Add($"{call} {task.Key}");
        }

        return Transfer(task, cancellationToken);
    }
}
