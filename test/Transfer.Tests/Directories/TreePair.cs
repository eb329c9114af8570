using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Jobs;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Directories;

/// <summary>Two sides, and the operation that brings what is at the source to the target. A synchronization deletes the rest of the target.</summary>
internal sealed class TreePair : IDisposable
{
    private readonly TreeOperation _operation;
    private readonly JobPair _jobs;

    public TreePair(TreeOperation operation, SyncDirection direction, Func<FakeS3, TransferClient> newClient)
    {
        _operation = operation;
        _jobs = new JobPair(direction, newClient);
    }

    public SyncPair Sides => _jobs.Sides;

    public IEnumerable<S3Call> Calls => Sides.Store == Sides.Target ? Sides.Store.Calls : Sides.Store.Calls.Concat(Sides.Target.Calls);

    /// <summary>Sets what is awaited before the requests that read or write the content of objects.</summary>
    public void BeforeContent(Func<string, CancellationToken, Task> before) => Sides.Store.Before = Sides.Target.Before = (call, token)
        => call.Operation is S3Call.Put or S3Call.Get or S3Call.Copy or S3Call.CopyPart && GetName(call.Key) is { } name
            ? before(name, token)
            : Task.CompletedTask;

    public Task<DirectoryResult> RunAsync(DirectoryOptions options, IProgress<TransferProgress>? progress = null, CancellationToken token = default)
        => _operation switch
        {
            TreeOperation.Copy => Sides.CopyAsync(options, progress, token),
            TreeOperation.Move => Sides.CopyAsync(options with { DeleteSource = true, SymbolicLinks = SymbolicLinks.Skip }, progress, token),
            TreeOperation.Sync => Sides.RunAsync(ToSync(options), progress, token),
            _ => RunJobAsync(options),
        };

    public void Dispose() => _jobs.Dispose();

    /// <summary>Gets the options of a synchronization that selects and transfers the same, and deletes the rest.</summary>
    private static SyncOptions ToSync(DirectoryOptions options) => new()
    {
        Include = options.Include,
        Exclude = options.Exclude,
        Filter = options.Filter,
        IncludeHidden = options.IncludeHidden,
        MaxConcurrentObjects = options.MaxConcurrentObjects,
        RateLimit = options.RateLimit,
        ObjectEnded = options.ObjectEnded,
        OnFailure = options.OnFailure,
        SymbolicLinks = options.SymbolicLinks,
        AllowSpecialNames = options.AllowSpecialNames,
        Download = options.Download,
        Upload = options.Upload,
        Copy = options.Copy,
        Events = options.Events,
        Handle = options.Handle,
        Delete = true,
    };

    /// <summary>Gets the name of an object at the source or at the target; null for others, such as those of the job.</summary>
    private static string? GetName(string key) => key is ['s' or 't', '/', .. string name] ? name : null;

    private async Task<DirectoryResult> RunJobAsync(DirectoryOptions options)
    {
        List<Outcome> failures = [];
        JobPlan plan = await _jobs.PlanAsync(new JobOptions { Shards = 1, Transfer = options, Refused = failures.Add });
        string target = plan.Target.ToString().TrimEnd('/') + "/";
        JobWorkerOptions worker = new()
        {
            ItemFailed = failure => failures.Add(new Outcome
            {
                Status = failure.IsConflict ? OutcomeStatus.Conflict : OutcomeStatus.Failed,
                Name = failure.Name[target.Length..],
                Bytes = 0,
                Error = new TransferException(failure.Message),
            }),
        };
        JobShardResult done = await _jobs.RunAsync(0, worker);
        return new DirectoryResult
        {
            Counts = new Counts
            {
                Copied = done.Done,
                Bytes = done.Bytes,
                Skipped = plan.Kept,
                Failed = plan.Refused + done.Failed,
                Conflicts = done.Conflicts,
            },
            Failures = [.. failures.OrderBy(static one => one.Name, StringComparer.Ordinal)],
            Statistics = done.Statistics,
        };
    }
}
