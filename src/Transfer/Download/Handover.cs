using Transfer.Concurrency;

namespace Transfer.Download;

/// <summary>
/// Watches a range while its body is read. If its connection is silent or slow, the rest is requested a second time, and the second response takes over if it brings the rest
/// earlier.
/// </summary>
internal static class Handover
{
    /// <param name="requests">Sends the second request.</param>
    /// <param name="range">The range. The watch ends when it is disposed.</param>
    /// <param name="start">The first byte of the range.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task WatchAsync(RangeRequests requests, OpenRange range, long start, CancellationToken cancellationToken)
    {
        HedgePolicy hedging = requests.Hedging;
        TimeSpan silence = hedging.SilenceDelay;
        TimeSpan wait = range.IsTimed ? hedging.BodyDelay(range.Length) : TimeSpan.MaxValue;
        while (await range.WhenOverdueAsync(silence, wait).ConfigureAwait(false))
        {
            double left = TimeLeft(range);
            bool isSilent = range.Silence >= silence;
            long rest = range.Length - range.Received;
            if (!isSilent && !hedging.IsFasterElsewhere(left, rest, isSent: false))
            {
                wait = Later(range);
                continue;
            }

            hedging.BeginOverdue();
            try
            {
                bool isTaken = hedging.TryTake(rest, left >= hedging.SilenceDelay.TotalSeconds);
                if (isTaken && await RaceAsync(requests, range, start, rest, isSilent, cancellationToken).ConfigureAwait(false))
                {
                    return;
                }

                silence = isTaken ? hedging.SilenceDelay : 2 * silence;
                wait = wait == TimeSpan.MaxValue ? wait : Later(range);
            }
            finally
            {
                hedging.EndOverdue();
            }
        }
    }

    /// <summary>Sends the second request.</summary>
    /// <param name="requests">Sends it.</param>
    /// <param name="range">The range.</param>
    /// <param name="start">The first byte of the range.</param>
    /// <param name="taken">The bytes that were taken from the hedging budget.</param>
    /// <param name="isSilent">Whether the connection is silent; otherwise, it is slow. The second request is only sent if that is still so when there is a slot.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Whether the watch is over.</returns>
    private static async Task<bool> RaceAsync(
        RangeRequests requests, OpenRange range, long start, long taken, bool isSilent, CancellationToken cancellationToken)
    {
        RequestCost cost = RequestCost.Part(taken, isHead: true);
        Task<bool> ended = range.WhenOverdueAsync(TimeSpan.MaxValue, TimeSpan.MaxValue);
        RequestSlot? slot = await requests.EnterUnlessEndedAsync(ended, cost, cancellationToken).ConfigureAwait(false);
        long received = range.Received;
        long rest = range.Length - received;
        if (slot is null || rest == 0 || (isSilent ? rest != taken : !requests.Hedging.IsFasterElsewhere(TimeLeft(range), rest, isSent: false)))
        {
            slot?.Dispose();
            requests.Hedging.GiveBackUnsent(taken);
            return ended.IsCompleted;
        }

        requests.CountHedge();
        long at = start + received;
        RangeAttempt second = requests.Begin(new RangeRequest(at, rest, requests.Pinned, WantChecksum: false, cost, IsRetry: true), slot, cancellationToken);
        await Task.WhenAny(ended, second.Response).ConfigureAwait(false);
        long overlap = range.Received - received; // what both bring
        bool isFaster = overlap == 0 || requests.Hedging.IsFasterElsewhere(TimeLeft(range), rest, isSent: true);
        TimeSpan waited = range.Waited + range.Silence;
        if (second.Response.IsCompletedSuccessfully && isFaster && range.TryHandOver(second.Response.Result, at))
        {
            requests.Hedging.GiveBack(taken - overlap);
            requests.CountBody(range, waited); // it would have taken longer
            return true;
        }

        requests.Hedging.GiveBack(taken); // the second one brings no more
        requests.Abandon(second);
        return ended.IsCompleted;
    }

    /// <summary>Estimates how long the rest of a range takes: as long as what has arrived, and if its connection is silent, as long again.</summary>
    /// <returns>The time, in seconds.</returns>
    private static double TimeLeft(OpenRange range)
    {
        double silence = range.Silence.TotalSeconds;
        double received = range.Received;
        return Math.Max(silence, (range.Waited.TotalSeconds + silence) * (range.Length - received) / received);
    }

    /// <summary>Gets when to look at a slow range again.</summary>
    private static TimeSpan Later(OpenRange range) => 1.5 * (range.Waited + range.Silence);
}
