namespace Transfer.S3.Ranges;

/// <summary>What to fetch for a read at a position.</summary>
/// <param name="From">The offset of the first byte.</param>
/// <param name="End">The offset after the last byte.</param>
/// <param name="IsJump">Whether what was fetched for the reads before is no longer wanted.</param>
internal readonly record struct ReadPlan(long From, long End, bool IsJump)
{
    /// <summary>Gets the distance between further ranges of the same size as the read; 0 if there are none. It is negative if they are before the read.</summary>
    public long Stride { get; init; }

    /// <summary>Gets the number of further ranges.</summary>
    public int Ranges { get; init; }
}
