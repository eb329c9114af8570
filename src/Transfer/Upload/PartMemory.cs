using Transfer.Buffers;
using Transfer.Scheduling;

namespace Transfer.Upload;

/// <summary>Memory for parts. Waiting for it ends in an error where nothing is under way that could give any back.</summary>
internal static class PartMemory
{
    /// <exception cref="InvalidOperationException">
    /// Nothing came back for as long as a silent store is given, no chunk was begun, and no request is under way: what holds the memory are unfinished
    /// parts of open writers that nobody writes to, or streams that nobody reads. If it is their owner who waits here, it would be for ever.
    /// </exception>
    public static async ValueTask<ChunkLease> LeaseAsync(ClientContext context, int chunks, CancellationToken cancellationToken)
    {
        if (context.Pool.TryLease(MemoryUse.Transient, chunks) is { } lease)
        {
            return lease;
        }

        using CancellationTokenSource giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<ChunkLease> waiting = context.Pool.LeaseAsync(MemoryUse.Transient, chunks, revolving: false, giveUp.Token).AsTask();
        for (int quiet = 0; ;)
        {
            long moves = context.Pool.Moves;
            try
            {
                return await waiting.WaitAsync(context.Settings.StallTimeout / 2, context.Time, CancellationToken.None).ConfigureAwait(false);
            }
            catch (TimeoutException e)
            {
                // Twice, because a machine that slept wakes up with its timers run out, and before anybody could move.
                quiet = context.Pool.Moves == moves && context.Scheduler.IsIdle ? quiet + 1 : 0;
                if (quiet < 2)
                {
                    continue;
                }

                await giveUp.CancelAsync().ConfigureAwait(false);
                await ((Task)waiting).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                return waiting.IsCompletedSuccessfully
                    ? await waiting.ConfigureAwait(false) // granted in the same moment
                    : throw new InvalidOperationException(
                        $"A part waited {context.Settings.StallTimeout.TotalSeconds:0.#} s for memory, and nothing is under way that could give any back: the unfinished parts of open "
                        + $"writers, and readers that nobody reads, hold the budget of {Sizes.Text(context.Settings.MemoryBytes)}. Complete some of them, or raise "
                        + $"{nameof(TransferClientOptions)}.{nameof(TransferClientOptions.MemoryBytes)}.",
                        e);
            }
        }
    }
}
