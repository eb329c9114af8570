using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>Determines the factor that limited the speed of a transfer. The rules are documented at <see cref="TransferTimes.Bottleneck"/>.</summary>
/// <remarks>
/// The two kinds of times can't be compared with each other. A transfer starts its parts sequentially, so it waits for one thing at a time: a slot
/// for another request, memory, or its reader or source. These waits are compared with the time that the transfer took. Requests run in parallel, so
/// their times are only compared with each other.
/// </remarks>
internal static class BottleneckRules
{
    /// <summary>The minimum share of the time for which a wait counts as the limiting factor.</summary>
    private const double LimitingShare = 0.5;

    /// <param name="times">The times of the transfer.</param>
    /// <param name="elapsed">The time that the transfer took; for a transfer of many objects, the sum over its objects if that is longer.</param>
    /// <param name="wallClock">The time that the transfer took.</param>
    /// <param name="chosenSlot">The part of <see cref="TransferTimes.WaitingForSlot"/> that was caused by a limit that the user set.</param>
    /// <param name="concurrency">The state of the concurrency at the end of the transfer.</param>
    /// <param name="isCopy">Whether the store copies by itself.</param>
    public static Bottleneck Find(TransferTimes times, TimeSpan elapsed, TimeSpan wallClock, TimeSpan chosenSlot, LimitState concurrency, bool isCopy)
    {
        if (Limits(times.WaitingForReader, elapsed) || Limits(times.WaitingForSource, elapsed))
        {
            return times.WaitingForReader >= times.WaitingForSource ? Bottleneck.Reader : Bottleneck.Source;
        }

        Bottleneck largest = LargestOfRequests(times);
        if (largest is not (Bottleneck.Network or Bottleneck.Latency))
        {
            return largest;
        }

        Bottleneck full = largest == Bottleneck.Network ? Bottleneck.Network : Bottleneck.Store;
        bool isThrottled = times.ThrottlingBackoff > TimeSpan.Zero && concurrency.IsHeld;
        if (Limits(times.WaitingForMemory, elapsed) && times.WaitingForMemory >= times.WaitingForSlot)
        {
            return isThrottled ? Bottleneck.Throttling : concurrency.IsCrowded ? full : Bottleneck.Memory;
        }

        if (Limits(times.WaitingForSlot, wallClock))
        {
            if (2 * chosenSlot >= times.WaitingForSlot)
            {
                return Bottleneck.Concurrency;
            }

            if (isThrottled)
            {
                return Bottleneck.Throttling;
            }

            if (concurrency.HasKnee)
            {
                return concurrency.IsAtHighest && !concurrency.IsCrowded ? Bottleneck.Concurrency : full;
            }
        }

        return isCopy ? Bottleneck.Store : largest;
    }

    private static bool Limits(TimeSpan wait, TimeSpan elapsed) => wait > TimeSpan.Zero && wait >= LimitingShare * elapsed;

    private static Bottleneck LargestOfRequests(TransferTimes times)
    {
        (TimeSpan Time, Bottleneck Bottleneck) largest = (TimeSpan.Zero, Bottleneck.None);
        foreach ((TimeSpan Time, Bottleneck Bottleneck) candidate in (ReadOnlySpan<(TimeSpan, Bottleneck)>)
        [
            (times.Data, Bottleneck.Network),
            (times.FirstByte, Bottleneck.Latency),
            (times.Disk, Bottleneck.Disk),
            (times.Processing, Bottleneck.Processor),
            (times.ThrottlingBackoff, Bottleneck.Throttling),
            (times.Backoff, Bottleneck.Retries),
            (times.RateLimit, Bottleneck.RateLimit),
        ])
        {
            largest = candidate.Time > largest.Time ? candidate : largest;
        }

        return largest.Bottleneck;
    }
}
