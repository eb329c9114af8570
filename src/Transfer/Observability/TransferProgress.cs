namespace Transfer;

/// <summary>How far a transfer is. The last report of a transfer that succeeds is the whole of it.</summary>
/// <remarks>
/// Bytes and parts never go backwards, with one exception: if an object was replaced with a smaller one while it was downloaded with others, the last report can be
/// less than the one before.
/// </remarks>
/// <param name="BytesTransferred">Bytes delivered to the target, or confirmed by the store.</param>
/// <param name="TotalBytes">Bytes in all; null while that is not known.</param>
/// <param name="BytesPerSecond">The rate of the last seconds; in the last report, of the whole transfer.</param>
/// <param name="PartsCompleted">Parts that are done.</param>
/// <param name="TotalParts">Parts in all; null while that is not known.</param>
public readonly record struct TransferProgress(long BytesTransferred, long? TotalBytes, double BytesPerSecond, int PartsCompleted, int? TotalParts)
{
    /// <summary>Requests sent so far, retries included. With this a transfer that fails can be accounted for too: it has no result to ask.</summary>
    public int Requests { get; init; }

    /// <summary>Requests so far that repeated one that failed.</summary>
    public int Retries { get; init; }

    /// <summary>Gets the number of requests so far that were sent a second time because the first one was slow.</summary>
    public int Hedged { get; init; }

    /// <summary>Bytes so far that an earlier, interrupted run had moved; the rates are without them.</summary>
    public long BytesResumed { get; init; }

    /// <summary>In the last report of a transfer that ended early: bytes that the same call, made again, need not move again.</summary>
    public long BytesKept { get; init; }

    /// <summary>Of a transfer of many objects, how many have ended: moved, skipped or failed.</summary>
    public long ObjectsCompleted { get; init; }

    /// <summary>Of a transfer of many objects, how many there are; null while they are still being found, and of one object.</summary>
    public long? TotalObjects { get; init; }

    /// <summary>
    /// How long the rest will take at the rate of all so far, by bytes or, of many objects, by those, whichever is longer; null while nothing can be said.
    /// </summary>
    public TimeSpan? Remaining { get; init; }
}
