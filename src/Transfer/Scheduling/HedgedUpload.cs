using Transfer.Concurrency;
using Transfer.Observability;

namespace Transfer.Scheduling;

/// <summary>Uploads a part. If its connection stalls, the part is sent a second time, and the first success is used.</summary>
/// <param name="scheduler">Grants the slot of the second request.</param>
/// <param name="hedging">Decides whether there is a second request.</param>
/// <param name="send">Sends the part once.</param>
/// <param name="newGuard">Creates the stall guard of the second request.</param>
/// <param name="reporter">Counts the requests.</param>
/// <param name="cost">The class and the cost of the request.</param>
internal sealed class HedgedUpload<T>(
    RequestScheduler scheduler, HedgePolicy hedging, Func<StallGuard, Task<T>> send, Func<RequestSlot, StallGuard> newGuard, TransferReporter reporter, RequestCost cost)
{
    /// <summary>Sends the part. The task completes when both requests have ended, because they read the same part.</summary>
    public async Task<T> SendAsync(RequestSlot slot, StallGuard guard, CancellationToken cancellationToken)
    {
        Task<T> first = send(guard);
        try
        {
            TimeSpan delay = hedging.UploadDelay;
            while (await IsSilentAsync(first, guard, delay).ConfigureAwait(false))
            {
                hedging.BeginOverdue();
                try
                {
                    if (hedging.TryTake(cost.Bytes, isSilent: true))
                    {
                        using RequestSlot? second = await scheduler.EnterUnlessEndedAsync(first, reporter, cost, cancellationToken).ConfigureAwait(false);
                        if (second is not null)
                        {
                            return await RaceAsync(first, slot, guard, second).ConfigureAwait(false);
                        }

                        hedging.GiveBackUnsent(cost.Bytes);
                    }
                }
                finally
                {
                    hedging.EndOverdue();
                }

                delay *= 2;
            }

            return await EndAsync(first, slot, guard).ConfigureAwait(false);
        }
        finally
        {
            await ((Task)first).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task<bool> IsSilentAsync(Task<T> request, StallGuard guard, TimeSpan delay)
    {
        if (request.IsCompleted)
        {
            return false;
        }

        Task<bool> silent = guard.WatchAsync(delay, TimeSpan.MaxValue);
        await Task.WhenAny(request, silent).ConfigureAwait(false);
        return silent is { IsCompletedSuccessfully: true, Result: true } && !request.IsCompleted;
    }

    private async Task<T> RaceAsync(Task<T> first, RequestSlot firstSlot, StallGuard firstGuard, RequestSlot secondSlot)
    {
        using StallGuard secondGuard = newGuard(secondSlot);
        if (!secondGuard.TryEnter(reporter.Pause))
        {
            hedging.GiveBack(cost.Bytes);
            return await EndAsync(first, firstSlot, firstGuard).ConfigureAwait(false);
        }

        reporter.AddRequest();
        reporter.AddHedge();
        Task<T> second = send(secondGuard);
        Task<T> winner = await Task.WhenAny(first, second).ConfigureAwait(false);
        if (!winner.IsCompletedSuccessfully)
        {
            await ((Task)Task.WhenAll(first, second)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // the other request can still succeed
            winner = second.IsCompletedSuccessfully ? second : first;
        }

        (winner == first ? secondGuard : firstGuard).Abandon();
        await ((Task)Task.WhenAll(first, second)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return winner == first
            ? await EndAsync(first, firstSlot, firstGuard).ConfigureAwait(false)
            : await EndAsync(second, secondSlot, secondGuard).ConfigureAwait(false);
    }

    private async Task<T> EndAsync(Task<T> request, RequestSlot slot, StallGuard guard)
    {
        T result = await request.ConfigureAwait(false);
        hedging.Uploaded(guard.LongestSilence, cost.Bytes);
        slot.Complete(cost.Bytes);
        return result;
    }
}
