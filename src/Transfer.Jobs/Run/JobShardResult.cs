namespace Transfer.S3;

/// <summary>The result of one run of a shard.</summary>
public sealed record JobShardResult
{
    /// <summary>Gets the index of the shard.</summary>
    public required int Shard { get; init; }

    /// <summary>Gets a value that indicates whether the job has this shard.</summary>
    public bool Exists { get; init; } = true;

    /// <summary>Gets a value that indicates whether every item of the shard is done, in this run or before.</summary>
    public bool IsFinished { get; init; }

    /// <summary>Gets the number of items of the shard; 0 if an earlier run has finished it.</summary>
    public long Items { get; init; }

    /// <summary>Gets the number of items that earlier runs have done.</summary>
    public long DoneBefore { get; init; }

    /// <summary>Gets the number of items that this run has done.</summary>
    public long Done { get; init; }

    /// <summary>Gets the number of items among <see cref="Done"/> that are pieces of huge objects.</summary>
    public long DonePieces { get; init; }

    /// <summary>Gets the number of items whose targets were already what they make.</summary>
    public long Already { get; init; }

    /// <summary>Gets the number of items whose source or target has changed since the job was planned.</summary>
    public long Conflicts { get; init; }

    /// <summary>Gets the number of other items that failed.</summary>
    public long Failed { get; init; }

    /// <summary>Gets the number of bytes that this run has copied.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the run, without the requests for the plan and the results.</summary>
    public TransferStatistics Statistics { get; init; } = new();
}
