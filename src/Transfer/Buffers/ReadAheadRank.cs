namespace Transfer.Buffers;

/// <summary>
/// The order in which streams get read-ahead memory: first those whose readers are stuck, the longest-waiting of them first; then those whose readers wait for data;
/// then those that hold the least (max-min fairness).
/// </summary>
/// <param name="StuckSince">The time when the reader got stuck; <see cref="long.MaxValue"/> if it isn't.</param>
/// <param name="IsStarved">Whether the reader waits for data.</param>
/// <param name="HeldBytes">The number of bytes that the stream holds.</param>
/// <param name="Sequence">The sequence number of the request.</param>
internal readonly record struct ReadAheadRank(long StuckSince, bool IsStarved, long HeldBytes, long Sequence)
{
    /// <summary>Returns whether this rank has precedence over another one.</summary>
    public bool IsBefore(ReadAheadRank other) => Compare(this, other) < 0;

    public static int Compare(ReadAheadRank one, ReadAheadRank other)
    {
        int order = one.StuckSince.CompareTo(other.StuckSince);
        order = order != 0 ? order : other.IsStarved.CompareTo(one.IsStarved);
        order = order != 0 ? order : one.HeldBytes.CompareTo(other.HeldBytes);
        return order != 0 ? order : one.Sequence.CompareTo(other.Sequence);
    }
}
