using Transfer.S3.Jobs;

namespace Transfer.S3;

/// <summary>How far a job is, from its results alone.</summary>
public sealed record JobStatus
{
    private const int MaxReads = 16;
    private const int MaxSlowest = 5;
    private const int MaxFailures = 10;

    /// <summary>Gets the plan.</summary>
    public required JobPlan Plan { get; init; }

    /// <summary>Gets the number of shards whose items are all done.</summary>
    public int FinishedShards { get; init; }

    /// <summary>Gets the number of other shards that have results.</summary>
    public int BegunShards { get; init; }

    /// <summary>Gets the number of items that are done.</summary>
    public long Done { get; init; }

    /// <summary>Gets the number of bytes that are done, with the parts of pieces that are not.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the number of items whose source or target has changed, so that nothing was written.</summary>
    public long Conflicts { get; init; }

    /// <summary>Gets the number of other items whose last attempt failed.</summary>
    public long Failed { get; init; }

    /// <summary>Gets the number of bytes per second since the plan was written; 0 if nothing is done.</summary>
    public double BytesPerSecond { get; init; }

    /// <summary>Gets the finished shards that took the longest time.</summary>
    public IReadOnlyList<JobShardTime> Slowest { get; init; } = [];

    /// <summary>Gets some of the items that failed.</summary>
    public IReadOnlyList<JobFailure> Failures { get; init; } = [];

    /// <summary>Gets a value that indicates whether every item is done. Huge objects also need <see cref="JobFinisher.FinishAsync"/>.</summary>
    public bool IsComplete => Done == Plan.Items;

    /// <summary>Reads the results.</summary>
    /// <remarks>It costs one request for the plan, one for each 1,000 files of results, and one for each file of a shard that isn't finished.</remarks>
    /// <param name="folder">The folder of the job.</param>
    /// <param name="time">The time; <see langword="null"/> for the system's.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when there is no plan, or the results can't be read.</exception>
    public static async Task<JobStatus> ReadAsync(JobFolder folder, TimeProvider? time = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(folder);
        JobPlan plan = (await JobPlanFile.GetAsync(folder, cancellationToken).ConfigureAwait(false)).Plan;
        ResultIndex index = await ResultIndex.ReadAsync(folder, plan, cancellationToken).ConfigureAwait(false);
        int[] shards = [.. Enumerable.Range(0, plan.Shards.Count)];
        int[] finished = [.. shards.Where(shard => index.FinishedIn(shard) is not null)];
        int[] begun = [.. shards.Where(shard => index.FinishedIn(shard) is null && index.GetSegments(shard).Count > 0)];
        StatusCount count = new(MaxFailures);
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxReads, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(begun, parallel, async (shard, token) =>
        {
            using ShardResults results = await ShardResults.ReadAsync(folder, index.GetSegments(shard), plan.Shards[shard].Items, token).ConfigureAwait(false);
            count.Add(results, plan.Shards[shard].Items);
        }).ConfigureAwait(false);

        long bytes = count.Bytes + finished.Sum(shard => plan.Shards[shard].Bytes);
        TimeSpan since = (time ?? TimeProvider.System).GetUtcNow() - plan.Created;
        return new JobStatus
        {
            Plan = plan,
            FinishedShards = finished.Length,
            BegunShards = begun.Length,
            Done = count.Done + finished.Sum(shard => plan.Shards[shard].Items),
            Bytes = bytes,
            Conflicts = count.Conflicts,
            Failed = count.Failed,
            BytesPerSecond = since > TimeSpan.Zero ? bytes / since.TotalSeconds : 0,
            Slowest = [.. finished.Select(shard => new JobShardTime(shard, index.FinishedIn(shard)!.Value)).OrderByDescending(static shard => shard.Elapsed).Take(MaxSlowest)],
            Failures = count.Failures,
        };
    }
}
