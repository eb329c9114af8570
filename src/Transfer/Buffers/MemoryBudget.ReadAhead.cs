using System.Runtime.InteropServices;

namespace Transfer.S3.Buffers;

/// <content>The memory for data that is fetched ahead of readers.</content>
internal sealed partial class MemoryBudget
{
    /// <summary>
    /// The number of streams that one request checks for memory to take back. The next request continues after them, so the cost doesn't grow with the number of
    /// streams.
    /// </summary>
    private const int MaxLooks = 64;

    private readonly List<MemoryShare> _shares = [];
    private readonly SortedSet<MemoryWaiter> _streams = new(Comparer<MemoryWaiter>.Create(static (one, other) => one.Rank.CompareTo(other.Rank)));
    private MemoryShare? _borrower;
    private long _settled;
    private int _wanting;
    private int _cursor;
    private long _clock;

    /// <summary>Gets the number of bytes that a stream can hold while others wait: an equal share of the memory that is left by streams that need no more.</summary>
    private long FairShareBytes => Math.Max(0, ReadAheadLimit - _settled) / Math.Max(1, _wanting);

    /// <summary>Gets the number of bytes that all streams together can hold now. Waiting requests for other uses have precedence.</summary>
    private long ReadAheadLimit
    {
        get
        {
            long beside = PinnedBytes + PendingBytes(MemoryUse.Floor) + PendingBytes(MemoryUse.Unfinished);
            long all = HeldFor(MemoryUse.Floor) + HeldFor(MemoryUse.Unfinished) + PendingBytes(MemoryUse.Transient);
            return Math.Max(0, Math.Min(GetLimit(MemoryUse.ReadAhead), Math.Min(CallersLimit - beside, CapacityBytes - all)));
        }
    }

    /// <summary>Gets the number of bytes that all streams together can hold if one of them is stuck: the memory that callers haven't pinned.</summary>
    private long StuckLimit => CallersLimit - PinnedBytes;

    /// <summary>Registers an open stream.</summary>
    public MemoryShare Add(IReadAheadOwner owner, int unitBytes)
    {
        MemoryShare share = new(this, owner, unitBytes);
        lock (_gate)
        {
            share.Index = _shares.Count;
            _shares.Add(share);
        }

        return share;
    }

    /// <summary>Removes a closed stream and ends its request. Memory that it still holds is returned later.</summary>
    public void Remove(MemoryShare share)
    {
        lock (_gate)
        {
            if (share.Index < 0)
            {
                return;
            }

            SetWanting(share, false);
            MemoryShare last = _shares[^1];
            _shares[share.Index] = last;
            last.Index = share.Index;
            _shares.RemoveAt(_shares.Count - 1);
            share.Index = -1;
            _settled -= share.HeldBytes;
            EndBorrowing(share);
        }

        Withdraw(share);
    }

    /// <summary>
    /// Requests memory for a stream, or repeats the request that is queued. A request stays queued, even if no one waits for it. Each time that it isn't granted,
    /// streams whose readers have been idle since the last call release the memory above their shares.
    /// </summary>
    /// <param name="share">The share of the stream.</param>
    /// <param name="mostBytes">The maximum number of bytes that the stream can use, in whole chunks.</param>
    /// <exception cref="ObjectDisposedException">Thrown when the client was disposed.</exception>
    public MemoryWaiter RequestAhead(MemoryShare share, long mostBytes)
    {
        List<MemoryWaiter>? granted = null;
        List<MemoryShare>? idle = null;
        MemoryWaiter waiter;
        lock (_gate)
        {
            if (_closed)
            {
                throw Closed();
            }

            waiter = share.Waiter ?? new MemoryWaiter(MemoryUse.ReadAhead, mostBytes, ++_sequence, share);
            if (share.Index < 0 || share.GrantedBytes > 0)
            {
                waiter.TrySetResult(); // the stream was closed, or must take its last grant first
                return waiter;
            }

            SetWanting(share, true);
            share.Waiter = waiter;
            Requeue(waiter);
            Grant(ref granted);
            if (share.Waiter is not null)
            {
                share.RefusedAt = (++_clock, share.RefusedAt.Last);
                FindIdle(GetBytes(waiter), share, ref idle);
            }
        }

        CompleteAll(granted);
        TakeBack(idle);
        if (share.Waiter is not null)
        {
            TryReclaim(MissingBytes);
        }

        return waiter;
    }

    /// <summary>Takes the memory that was granted to a stream since the last call.</summary>
    /// <returns>The number of bytes; 0 if the request is still queued.</returns>
    public long TakeGranted(MemoryShare share)
    {
        lock (_gate)
        {
            long bytes = share.GrantedBytes;
            share.GrantedBytes = 0;
            return bytes;
        }
    }

    /// <summary>Ends the request of a stream that has nothing left to download. Memory that was granted but not taken is released.</summary>
    public void Withdraw(MemoryShare share)
    {
        List<MemoryWaiter>? granted = null;
        MemoryWaiter? waiter;
        lock (_gate)
        {
            SetWanting(share, false);
            waiter = share.Waiter;
            if (waiter is not null)
            {
                Forget(waiter);
            }

            Grant(ref granted); // the shares of the others have grown
        }

        CompleteAll(granted);
        waiter?.TrySetCanceled();
        if (TakeGranted(share) is > 0 and long bytes)
        {
            ReleaseAhead(share, bytes, wasConsumed: false);
        }
    }

    /// <summary>Reserves one more chunk for a stream if there is memory that no one waits for.</summary>
    public bool TryReserveAhead(MemoryShare share)
    {
        lock (_gate)
        {
            if (share.Waiter is not null || GetGrant(share, share.UnitBytes) == 0 || Next() is not null || !FitsAhead(share, share.UnitBytes))
            {
                return false;
            }

            Take(MemoryUse.ReadAhead, share.UnitBytes);
            Count(share, share.UnitBytes);
            return true;
        }
    }

    /// <summary>Updates the state of a stream whose reader has begun or ended a wait, and grants its request if it is next.</summary>
    public void Reconsider(MemoryShare share)
    {
        List<MemoryWaiter>? granted = null;
        List<MemoryShare>? idle = null;
        MemoryWaiter? hopeless = null;
        lock (_gate)
        {
            // The owner is asked under the lock. So if two threads report a change, the later state remains.
            share.IsStuck = share.Index >= 0 && share.Owner.IsStuck;
            _borrower ??= share.IsStuck ? share : null;
            if (share.Waiter is { } waiter)
            {
                Requeue(waiter);
                Grant(ref granted);
                if (share is { IsStuck: true, Waiter: not null })
                {
                    FindIdle(GetBytes(waiter), share, ref idle);
                    if (idle is null && HeldFor(MemoryUse.ReadAhead) == share.HeldBytes && HeldFor(MemoryUse.Unfinished) == 0 && NeedsCallers(waiter))
                    {
                        hopeless = waiter; // it already holds as much as it can ever get
                        Forget(waiter);
                    }
                }
            }
        }

        CompleteAll(granted);
        TakeBack(idle);
        hopeless?.TrySetException(IsStuck(share));
    }

    /// <summary>
    /// Takes back all read-ahead memory of a stream whose data can be downloaded again. The stream can get as much as before afterward, because its reader isn't
    /// idle.
    /// </summary>
    public void TakeBackAll(MemoryShare share)
    {
        long limit = share.LimitBytes;
        share.Owner.GiveBack(0);
        lock (_gate)
        {
            share.LimitBytes = limit;
            Requeue(share.Waiter);
        }
    }

    /// <summary>Releases read-ahead memory.</summary>
    /// <param name="share">The share of the stream that held it.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="wasConsumed">Whether the reader consumed the data; false if the memory wasn't used.</param>
    public void ReleaseAhead(MemoryShare share, long bytes, bool wasConsumed = true)
    {
        List<MemoryWaiter>? granted = null;
        bool ranOut;
        lock (_gate)
        {
            Remove(MemoryUse.ReadAhead, bytes);
            Count(share, -bytes);
            if (wasConsumed)
            {
                share.Consume(bytes, CapacityBytes);
                share.ConsumedAt = ++_clock;
                EndBorrowing(share);
            }

            Requeue(share.Waiter);
            Grant(ref granted);
            ranOut = share is { HeldBytes: 0, Waiter: not null };
        }

        CompleteAll(granted);
        if (ranOut)
        {
            share.Owner.RanOut();
        }
    }

    /// <summary>
    /// Records that a stream gives data up. From now on, the memory is in transit, because it is released when the fetch of the data has ended. What the stream
    /// still holds is its limit.
    /// </summary>
    public void GiveUp(MemoryShare share, long bytes)
    {
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            Remove(MemoryUse.ReadAhead, bytes);
            Take(MemoryUse.Transient, bytes);
            Count(share, -bytes);
            Limit(share, share.HeldBytes);
            Grant(ref granted);
        }

        CompleteAll(granted);
    }

    private void Count(MemoryShare share, long bytes)
    {
        share.HeldBytes += bytes;
        _settled += share is { IsWanting: false, Index: >= 0 } ? bytes : 0;
    }

    private void Limit(MemoryShare share, long mostBytes)
    {
        share.LimitBytes = Math.Min(share.LimitBytes, Math.Max(mostBytes, 2 * share.UnitBytes)); // without any memory, there would be nothing to consume
        Requeue(share.Waiter);
    }

    /// <summary>Gets the number of bytes to grant to a stream now, if they are available.</summary>
    private long GetGrant(MemoryShare share, long mostBytes)
    {
        // One request gets a quarter of the share, so that a stream can have several in flight. Only one stuck stream at a time gets more than its share.
        // Otherwise, each would hold a part of the memory that one of them needs.
        return MayBorrow(share)
            ? share.GetGrant(mostBytes, mostBytes, StuckLimit - HeldFor(MemoryUse.ReadAhead))
            : share.GetGrant(mostBytes, FairShareBytes / 4, share.LimitBytes - share.HeldBytes);
    }

    private bool MayBorrow(MemoryShare share) => _borrower == share && share.IsStuck;

    private void LetBorrow(MemoryShare? share)
    {
        _borrower = share;
        Requeue(share?.Waiter);
    }

    /// <summary>Lets the next stuck reader borrow, because this one has consumed data or was closed.</summary>
    private void EndBorrowing(MemoryShare share)
    {
        share.IsStuck = false;
        if (_borrower == share)
        {
            LetBorrow(_shares.Where(one => one.IsStuck).MinBy(one => one.Waiter?.Sequence ?? long.MaxValue));
        }
    }

    private bool NeedsReaders(MemoryShare share, long bytes) => HeldFor(MemoryUse.ReadAhead) + bytes > (MayBorrow(share) ? StuckLimit : ReadAheadLimit);

    private bool FitsAhead(MemoryShare share, long bytes) => _reserved + bytes <= CapacityBytes && !NeedsReaders(share, bytes);

    /// <summary>Updates the place of a stream's request. A stream at its limit isn't queued until its reader has consumed something.</summary>
    private void Requeue(MemoryWaiter? waiter)
    {
        if (waiter is { Share: { } share })
        {
            _streams.Remove(waiter);
            waiter.IsQueued = MayBorrow(share) || GetGrant(share, waiter.Bytes) > 0;
            waiter.Rank = (!MayBorrow(share), !share.Owner.IsStarved, share.HeldBytes, waiter.Sequence);
            if (waiter.IsQueued)
            {
                _streams.Add(waiter);
            }
        }
    }

    private void SetWanting(MemoryShare share, bool isWanting)
    {
        if (share.IsWanting != isWanting && share.Index >= 0)
        {
            share.IsWanting = isWanting;
            _wanting += isWanting ? 1 : -1;
            _settled += isWanting ? -share.HeldBytes : share.HeldBytes;
        }
    }

    /// <summary>
    /// Lowers the limits of streams that hold more than their share and whose readers don't use it. A reader is idle if it doesn't wait for data and hasn't consumed
    /// anything since <paramref name="asker"/> was refused the last time but one, which is at least one request of the asker ago.
    /// </summary>
    /// <param name="bytes">The number of bytes that are needed.</param>
    /// <param name="asker">The stream that needs them; null for another use, whose queued request lowers the shares.</param>
    /// <param name="idle">The streams that must give memory back.</param>
    private void FindIdle(long bytes, MemoryShare? asker, ref List<MemoryShare>? idle)
    {
        long fair = FairShareBytes;
        if (asker is { IsStuck: false } && asker.HeldBytes + asker.UnitBytes > fair)
        {
            return; // it already has its share
        }

        for (int looks = Math.Min(_shares.Count, MaxLooks); looks > 0 && bytes > 0; looks--)
        {
            MemoryShare share = _shares[_cursor++ % _shares.Count];
            bool isIdle = asker is null or { IsStuck: true } || share.ConsumedAt < asker.RefusedAt.Before;
            long held = Math.Min(share.HeldBytes, share.LimitBytes);
            if (share != asker && isIdle && held - fair >= share.UnitBytes && !share.Owner.IsStarved)
            {
                long taken = Math.Min(bytes, held - fair);
                Limit(share, held - taken);
                (idle ??= []).Add(share);
                bytes -= taken;
            }
        }

        _cursor %= Math.Max(1, _shares.Count);
    }

    private static void TakeBack(List<MemoryShare>? idle)
    {
        foreach (MemoryShare share in CollectionsMarshal.AsSpan(idle))
        {
            share.Owner.GiveBack(share.LimitBytes);
        }
    }
}
