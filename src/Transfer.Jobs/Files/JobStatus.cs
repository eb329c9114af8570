namespace Transfer.S3;

/// <summary>How far a job is, from its results alone.</summary>
public sealed record JobStatus
{
    /// <summary>Gets the plan.</summary>
    public required JobPlan Plan { get; init; }

    /// <summary>Gets the number of shards whose items are all done.</summary>
    public int FinishedShards { get; init; }

    /// <summary>Gets the number of other shards that have results.</summary>
    public int BegunShards { get; init; }

    /// <summary>Gets the indices of the shards whose items are not all done. They can run again.</summary>
    public IReadOnlyList<int> UnfinishedShards { get; init; } = [];

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

    /// <summary>Gets a value that indicates whether every item is done. Huge objects also need <see cref="TransferJob.FinishAsync"/>.</summary>
    public bool IsComplete => Done == Plan.Items;
}
