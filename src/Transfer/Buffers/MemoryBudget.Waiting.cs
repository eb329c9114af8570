using System.Globalization;

namespace Transfer.S3.Buffers;

/// <content>Handles waits for memory that end with an error or a cancellation.</content>
internal sealed partial class MemoryBudget
{
    /// <summary>Waits until a request is granted, and ends it if nothing happens that could free memory.</summary>
    /// <exception cref="MemoryLimitException">Thrown when no memory is released; for a stream, only if its reader is stuck.</exception>
    /// <exception cref="ObjectDisposedException">Thrown when the client was disposed.</exception>
    public async Task WatchAsync(MemoryWaiter waiter)
    {
        for (int quiet = 0; waitLimit is not null && !waiter.Task.IsCompleted;)
        {
            long moves = MovesFor(waiter);
            await waiter.Task.WaitAsync(waitLimit.LookInterval, waitLimit.Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!waiter.Task.IsCompleted)
            {
                LookAgain(waiter);

                // The check must fail twice, because timers run out while a machine sleeps, when nothing can happen.
                quiet = MovesFor(waiter) == moves && IsHopeless(waiter) ? quiet + 1 : 0;
                if (quiet == 2 && TryForget(waiter))
                {
                    waiter.TrySetException(waiter.Share is { } share ? IsStuck(share) : WaitedTooLong(waiter));
                }
            }
        }

        await waiter.Task.ConfigureAwait(false);
    }

    private async Task WaitAsync(MemoryWaiter waiter, CancellationToken cancellationToken)
    {
        CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                (MemoryBudget budget, MemoryWaiter waiter) = ((MemoryBudget, MemoryWaiter))state!;
                if (budget.TryForget(waiter))
                {
                    waiter.TrySetCanceled(token);
                }
            },
            (this, waiter));
        await using (registration.ConfigureAwait(false))
        {
            await WatchAsync(waiter).ConfigureAwait(false);
        }
    }

    /// <summary>Finds memory that became unused without a notification, because readers became idle.</summary>
    private void LookAgain(MemoryWaiter waiter)
    {
        List<MemoryWaiter>? granted = null;
        List<MemoryShare>? idle = null;
        lock (_gate)
        {
            if (waiter.Share is { IsStuck: true } && _borrower is { IsStuck: false, Owner.IsStarved: false })
            {
                LetBorrow(waiter.Share); // the caller of the other one has received data, and doesn't come back
                Grant(ref granted);
            }

            if (waiter.IsQueued && (waiter.Share is null or { IsStuck: true }) && NeedsCallers(waiter))
            {
                FindIdle(GetBytes(waiter), waiter.Share, ref idle);
            }
        }

        CompleteAll(granted);
        TakeBack(idle);
    }

    /// <summary>Ends a request that wasn't granted.</summary>
    public bool TryForget(MemoryWaiter waiter)
    {
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            if (waiter.Share is { } share ? share.Waiter != waiter : !waiter.IsQueued)
            {
                return false; // it was granted at the same moment
            }

            Forget(waiter);
            Grant(ref granted); // the next one may need less
        }

        CompleteAll(granted);
        return true;
    }

    /// <summary>Gets a number that grows while anything happens that can free the memory for a waiter.</summary>
    private long MovesFor(MemoryWaiter waiter)
    {
        lock (_gate)
        {
            return NeedsCallers(waiter) ? _callerMoves + Volatile.Read(ref _callerRents) : _moves + Volatile.Read(ref _rents);
        }
    }

    private bool IsHopeless(MemoryWaiter waiter)
    {
        lock (_gate)
        {
            if (waiter.Share is { IsStuck: false })
            {
                return false; // the stream continues with its floor
            }

            if (NeedsCallers(waiter))
            {
                return true;
            }
        }

        return waitLimit!.IsIdle();
    }

    private MemoryLimitException TooMuch(MemoryUse use, long bytes) => new(
        $"A buffer of {ByteSize.Format(bytes)} does not fit into the {ByteSize.Format(GetLimit(use))} that the memory budget of {ByteSize.Format(CapacityBytes)} allows for it. {Remedy}");

    private MemoryLimitException FloorsAreSpent() => new(
        $"The open streams reserve {ByteSize.Format(ClaimedFloorBytes)}, half of the memory budget of {ByteSize.Format(CapacityBytes)}. Dispose some of them, or increase {Option}.");

    private MemoryLimitException WaitedTooLong(MemoryWaiter waiter) => new(
        $"A transfer waited {Seconds} s for {ByteSize.Format(waiter.Bytes)} of memory, and nothing happened that could free it. {Holders()} {Remedy}");

    private MemoryLimitException IsStuck(MemoryShare share) => new(
        $"The reader examined all of the data that it received, consumed none of it, and waits for more, for which there is no memory. {Holders()} "
        + $"Consume some data, dispose other streams, or increase {Option}. This reader holds {ByteSize.Format(share.HeldBytes)} of read-ahead.");

    private static ObjectDisposedException Closed() => new(nameof(TransferClient), "The client was disposed while a transfer waited for memory.");

    private string Holders()
    {
        lock (_gate)
        {
            return $"The memory budget of {ByteSize.Format(CapacityBytes)} is held by open streams ({Held(MemoryUse.Floor)}), data that readers have not consumed ({Held(MemoryUse.ReadAhead)}), "
                + $"unfinished parts of open writers and source streams ({Held(MemoryUse.Unfinished)}) together with range buffers, "
                + $"data in transit ({Held(MemoryUse.Transient)}), and cached data ({Held(MemoryUse.Cache)}).";
        }

        string Held(MemoryUse use) => ByteSize.Format(HeldFor(use));
    }

    private static string Remedy => $"Complete or dispose some streams, or increase {Option}.";

    private static string Option => $"{nameof(TransferClientOptions)}.{nameof(TransferClientOptions.MemoryBytes)}";

    private string Seconds => (waitLimit?.Limit.TotalSeconds ?? 0).ToString("0.#", CultureInfo.InvariantCulture);
}
