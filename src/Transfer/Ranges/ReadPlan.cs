namespace Transfer.S3.Ranges;

/// <summary>What to fetch for a read at a position.</summary>
/// <param name="From">The offset of the first byte.</param>
/// <param name="End">The offset after the last byte.</param>
/// <param name="IsJump">Whether what was fetched for the reads before is no longer wanted.</param>
internal readonly record struct ReadPlan(long From, long End, bool IsJump)
{
    /// <summary>Gets the number of bytes after the end that a request ahead can contain so that it is worthwhile.</summary>
    public long Slack { get; init; }

    /// <summary>Gets the distance between further ranges of the same size; 0 if there are none. It is negative if they are before the read.</summary>
    public long Stride { get; init; }

    /// <summary>Gets the number of further ranges.</summary>
    public int Ranges { get; init; }

    /// <summary>Gets the plan without what is outside of a range that the caller has announced.</summary>
    /// <param name="offset">The offset of the read.</param>
    /// <param name="neededEnd">The offset after its last byte.</param>
    /// <param name="rangeEnd">The offset after the range.</param>
    public ReadPlan Within(long offset, long neededEnd, long rangeEnd)
    {
        long end = Math.Max(neededEnd, Math.Min(End, rangeEnd));
        return this with { From = offset, End = end, Slack = Math.Clamp(rangeEnd - end, 0, Slack), Ranges = 0 };
    }
}
