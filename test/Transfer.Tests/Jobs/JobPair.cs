using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A source, a target, and the folder of a job between them.</summary>
internal sealed class JobPair : IDisposable
{
    private readonly TransferClient _client;
    private readonly TransferClient? _other;

    public JobPair(SyncDirection direction, Func<FakeS3, TransferClient> newClient, bool isFolderLocal = false)
    {
        Sides = new SyncPair(direction, new FakeS3(), newClient);
        _client = newClient(Sides.Store);
        _other = direction == SyncDirection.Between ? newClient(Sides.Target) : null;
        Local = new TemporaryFolder();
        Folder = isFolderLocal ? JobFolder.InDirectory(Local.Path) : JobFolder.InBucket(_other ?? _client, FakeS3.Bucket, "runs/1");
    }

    public SyncPair Sides { get; }

    public JobFolder Folder { get; }

    /// <summary>Gets the folder of the job, if it is local.</summary>
    public TemporaryFolder Local { get; }

    public FakeS3 Store => Sides.Target;

    public TransferJob Job => Open(Folder);

    /// <summary>Opens another job between the same sides.</summary>
    public TransferJob Open(JobFolder folder) => new(_client, folder, _other);

    public Task<JobPlan> PlanAsync(JobOptions? options = null, JobFolder? folder = null)
        => Open(folder ?? Folder).PlanAsync(Sides.From, Sides.To, options).Within();

    public Task<JobShardResult> RunAsync(int shard, JobWorkerOptions? options = null, CancellationToken cancellationToken = default)
        => Job.RunAsync(shard, options, null, cancellationToken).Within();

    public async Task<List<JobShardResult>> RunAllAsync(JobPlan plan)
    {
        List<JobShardResult> results = [];
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            results.Add(await RunAsync(shard));
        }

        return results;
    }

    /// <summary>Sets what is called before each request to any of the stores.</summary>
    public void Before(Action<S3Call>? before)
    {
        Func<S3Call, CancellationToken, Task>? intervene = before is null ? null : (call, _) =>
        {
            before(call);
            return Task.CompletedTask;
        };
        Sides.Store.Before = intervene;
        Sides.Target.Before = intervene;
    }

    /// <summary>Gets what identifies each target as it was written: an object that is replaced, even by the same content, is another one.</summary>
    public Dictionary<string, object> GetEffects() => Sides.HasLocalTarget
        ? Directory.EnumerateFiles(Sides.Folder.Path, "*", SearchOption.AllDirectories).ToDictionary(path => path, path => (object)File.GetLastWriteTimeUtc(path))
        : Sides.Target.Objects.Where(one => one.Key.StartsWith(SyncPair.TargetPrefix, StringComparison.Ordinal)).ToDictionary(one => one.Key, one => (object)one.Value);

    public void Dispose()
    {
        Sides.Dispose();
        Local.Dispose();
    }
}
