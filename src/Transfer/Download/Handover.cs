using Transfer.Concurrency;

namespace Transfer.Download;

/// <summary>Watches a range while its body is read. If its connection is silent, the rest is requested a second time. If that response comes first, it takes over.</summary>
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
        while (await range.WhenSilentAsync(silence).ConfigureAwait(false))
        {
            hedging.BeginOverdue();
            (long at, long rest) = (start + range.Received, range.Length - range.Received);
            RangeRequest request = new(at, rest, requests.Pinned, WantChecksum: false, RequestCost.Part(rest, isHead: true), IsRetry: true);
            try
            {
                bool isTaken = hedging.TryTake(request.Cost.Bytes);
                if (isTaken && await RaceAsync(requests, range, start, request, cancellationToken).ConfigureAwait(false))
                {
                    return;
                }

                silence = isTaken ? hedging.SilenceDelay : 2 * silence;
            }
            finally
            {
                hedging.EndOverdue();
            }
        }
    }

    /// <summary>Sends the second request, unless the first one goes on.</summary>
    /// <returns>Whether the watch is over.</returns>
    private static async Task<bool> RaceAsync(RangeRequests requests, OpenRange range, long start, RangeRequest request, CancellationToken cancellationToken)
    {
        Task<bool> ended = range.WhenSilentAsync(TimeSpan.MaxValue);
        RequestSlot? slot = await requests.EnterUnlessEndedAsync(ended, request.Cost, cancellationToken).ConfigureAwait(false);
        if (slot is null || start + range.Received != request.Offset)
        {
            slot?.Dispose();
            requests.Hedging.GiveBack(request.Cost.Bytes);
            return ended.IsCompleted;
        }

        requests.CountHedge();
        RangeAttempt second = requests.Begin(request, slot, cancellationToken);
        await Task.WhenAny(ended, second.Response).ConfigureAwait(false);
        requests.Hedging.GiveBack(request.Cost.Bytes); // whichever wins, the other one brings no more
        if (second.Response.IsCompletedSuccessfully && start + range.Received == request.Offset && range.TryHandOver(second.Response.Result, request.Offset))
        {
            return true;
        }

        requests.Abandon(second);
        return ended.IsCompleted;
    }
}
