using Transfer.Concurrency;

namespace Transfer.Download;

/// <summary>
/// Monitors a range while its body is read. If the connection is silent or slow, the rest is requested a second time. The second response takes over
/// if it delivers the rest earlier.
/// </summary>
internal static class Handover
{
    /// <param name="requests">Sends the second request.</param>
    /// <param name="range">The range. The monitoring ends when it is disposed.</param>
    /// <param name="start">The first byte of the range.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task WatchAsync(RangeRequests requests, OpenRange range, long start, CancellationToken cancellationToken)
    {
        requests.EnterBackground(); // the client isn't disposed before the second request has an owner
        try
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
        finally
        {
            requests.LeaveBackground();
        }
    }

    /// <summary>Sends the second request.</summary>
    /// <param name="requests">Sends it.</param>
    /// <param name="range">The range.</param>
    /// <param name="start">The offset of the first byte of the range.</param>
    /// <param name="taken">The number of bytes that were taken from the hedging budget.</param>
    /// <param name="isSilent">Whether the connection is silent or just slow. The request is sent only if that hasn't changed when a slot is free.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Whether the monitoring is over.</returns>
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
        long overlap = range.Received - received; // both responses contain these bytes
        bool isFaster = overlap == 0 || requests.Hedging.IsFasterElsewhere(TimeLeft(range), rest, isSent: true);
        TimeSpan waited = range.Waited + range.Silence;
        if (second.Response.IsCompletedSuccessfully && isFaster && range.TryHandOver(second.Response.Result, at))
        {
            requests.Hedging.GiveBack(taken - overlap);
            requests.CountBody(range, waited); // the whole response would have taken longer
            return true;
        }

        requests.Hedging.GiveBack(taken); // nothing more is read from the second response
        requests.Abandon(second);
        return ended.IsCompleted;
    }

    /// <summary>
    /// Estimates the remaining time of a range from its rate so far. If the connection is silent, it is at least the time of the silence.
    /// </summary>
    /// <returns>The time, in seconds.</returns>
    private static double TimeLeft(OpenRange range)
    {
        double silence = range.Silence.TotalSeconds;
        double received = range.Received;
        return Math.Max(silence, (range.Waited.TotalSeconds + silence) * (range.Length - received) / received);
    }

    /// <summary>Gets the time after which a slow range is checked again.</summary>
    private static TimeSpan Later(OpenRange range) => 1.5 * (range.Waited + range.Silence);
}
