using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Transfer.Buffers;

/// <content>The memory for data that is fetched ahead of readers.</content>
internal sealed partial class MemoryBudget
{
    /// <summary>
    /// The number of streams that one request checks for memory to take back. The next request continues after them, so the cost doesn't grow with the number of
    /// streams.
    /// </summary>
    private const int MaxLooks = 64;

    private readonly List<MemoryShare> _shares = [];
    private readonly SortedSet<MemoryWaiter> _streams = new(Comparer<MemoryWaiter>.Create(static (one, other) => ReadAheadRank.Compare(one.Rank, other.Rank)));
    private long _readAhead;
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
            long beside = FloorsRoom + PendingBytes(_floorWaiters) + _unfinished + PendingBytes(_unfinishedWaiters);
            long all = _floors + _unfinished + PendingBytes(_transientWaiters);
            return Math.Max(0, Math.Min(LimitOf(MemoryUse.ReadAhead), Math.Min(CallersLimit - beside, CapacityBytes - all)));
        }
    }

    /// <summary>Gets the number of bytes to grant to a stream now, if they are available.</summary>
    private long GrantOf(MemoryShare share, long mostBytes)
    {
        if (MayBorrow(share))
        {
            return share.GrantOf(mostBytes, mostBytes, StuckLimit - _readAhead);
        }

        // One request gets a quarter of its share, so that a stream can have several in flight. Only one stuck stream at a time gets more than its share.
        // Otherwise, each would hold a part of the memory that one of them needs.
        long fair = FairShareBytes;
        return share.GrantOf(mostBytes, fair / 4, (share.StuckSince != 0 ? fair : share.LimitBytes) - share.HeldBytes);
    }

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

    /// <summary>Removes a closed stream. Memory that it still holds is returned later.</summary>
    public void Remove(MemoryShare share)
    {
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            if (share.Index < 0)
            {
                return;
            }

            SetWanting(share, false);
            Unstick(share);
            MemoryShare last = _shares[^1];
            _shares[share.Index] = last;
            last.Index = share.Index;
            _shares.RemoveAt(_shares.Count - 1);
            share.Index = -1;
            _settled -= share.HeldBytes;
            Grant(ref granted); // the shares of the others have grown, and another stuck reader may be the first
        }

        CompleteAll(granted);
    }

    /// <summary>Sets whether a stream has more data to download. A stream that requests memory has.</summary>
    public void SetWants(MemoryShare share, bool isWanting)
    {
        lock (_gate)
        {
            SetWanting(share, isWanting);
        }
    }

    /// <summary>Records that the reader of a queued stream has begun to wait for data. It has precedence over streams whose readers don't wait.</summary>
    public void NoteStarved(MemoryShare share)
    {
        if (share.Waiter is { Rank.IsStarved: false })
        {
            Reconsider(share);
        }
    }

    /// <summary>Reserves read-ahead memory if there is any and no other stream needs it more.</summary>
    /// <param name="share">The share of the stream.</param>
    /// <param name="mostBytes">The maximum number of bytes that the stream can use now, in whole chunks.</param>
    /// <returns>The number of bytes that were granted; 0 for none.</returns>
    public long TryReserveAhead(MemoryShare share, long mostBytes)
    {
        List<(MemoryShare Share, long Bytes)>? surplus = null;
        long bytes;
        lock (_gate)
        {
            SetWanting(share, true);
            bytes = TryTake(share, mostBytes);
            if (bytes == 0)
            {
                share.RefusedAt = (++_clock, share.RefusedAt.Last);
                FindSurplus(GrantOf(share, mostBytes), share, ref surplus);
            }
        }

        TakeBack(surplus);
        if (bytes == 0 && (TryReclaimFor(share, mostBytes) || surplus is not null))
        {
            lock (_gate)
            {
                bytes = TryTake(share, mostBytes);
            }
        }

        return bytes;
    }

    /// <summary>Queues a stream's request. It stays queued, even if no one waits for it, until it is granted or withdrawn.</summary>
    /// <param name="share">The share of the stream, which has no other queued request.</param>
    /// <param name="mostBytes">The maximum number of bytes that the stream can use, in whole chunks.</param>
    /// <exception cref="ObjectDisposedException">Thrown when the client was disposed.</exception>
    public MemoryWaiter RequestAhead(MemoryShare share, long mostBytes)
    {
        MemoryWaiter waiter;
        lock (_gate)
        {
            if (_closed)
            {
                throw Closed();
            }

            Debug.Assert(share.Waiter is null, "a stream has one request at a time");
            SetWanting(share, true);
            waiter = new MemoryWaiter(MemoryUse.ReadAhead, mostBytes, ++_sequence, share);
            share.Waiter = waiter;
        }

        Reconsider(share);
        TryReclaimFor(share, mostBytes);
        return waiter;
    }

    /// <summary>Takes the memory that was granted to a request, once.</summary>
    /// <returns>The number of bytes; 0 if the request is still queued, or its memory was taken or the request withdrawn.</returns>
    public long TakeGranted(MemoryWaiter request)
    {
        lock (_gate)
        {
            long bytes = request.GrantedBytes;
            request.GrantedBytes = 0;
            return bytes;
        }
    }

    /// <summary>Ends a request. Memory that was granted but not taken is released.</summary>
    public void Withdraw(MemoryWaiter request)
    {
        if (!TryForget(request) && TakeGranted(request) is > 0 and long bytes)
        {
            ReleaseAhead(request.Share!, bytes, wasConsumed: false);
        }

        request.TrySetCanceled();
    }

    /// <summary>Records that a stream releases more or less memory than requested.</summary>
    public void Owe(MemoryShare share, long bytes)
    {
        lock (_gate)
        {
            share.Owe(bytes);
        }
    }

    /// <summary>
    /// Records that a queued stream could use memory now. Streams whose readers have been idle since the last call release the memory above their shares.
    /// </summary>
    public void Insist(MemoryShare share)
    {
        List<(MemoryShare Share, long Bytes)>? surplus = null;
        lock (_gate)
        {
            if (share.Waiter is { IsQueued: true } waiter)
            {
                share.RefusedAt = (++_clock, share.RefusedAt.Last);
                FindSurplus(BytesOf(waiter), share, ref surplus);
            }
        }

        TakeBack(surplus);
        if (share.Waiter is { IsQueued: true } queued)
        {
            TryReclaimFor(share, queued.Bytes);
        }
    }

    /// <summary>
    /// Takes back all read-ahead memory of a stream whose data can be downloaded again. The stream can get as much as before afterward, because its reader isn't
    /// idle.
    /// </summary>
    public void TakeBackAll(MemoryShare share)
    {
        long bytes;
        long limit;
        lock (_gate)
        {
            limit = share.LimitBytes;
            bytes = share.HeldBytes - share.OwedBytes;
            if (bytes <= 0)
            {
                return;
            }

            share.Owe(bytes);
        }

        share.Owner.GiveBack(bytes);
        lock (_gate)
        {
            share.LimitBytes = limit;
        }
    }

    /// <summary>Releases read-ahead memory.</summary>
    /// <param name="share">The share of the stream that held it.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="wasConsumed">Whether the reader consumed the data; false if the data was given up or the memory wasn't used.</param>
    public void ReleaseAhead(MemoryShare share, long bytes, bool wasConsumed = true)
    {
        List<MemoryWaiter>? granted = null;
        bool ranOut;
        lock (_gate)
        {
            Remove(MemoryUse.ReadAhead, bytes);
            _settled -= share is { IsWanting: false, Index: >= 0 } ? bytes : 0;
            if (share.Return(bytes, wasConsumed, CapacityBytes))
            {
                share.ConsumedAt = ++_clock;
                Unstick(share);
            }

            if (share.Waiter is { } waiter)
            {
                Requeue(waiter);
            }

            Grant(ref granted);
            ranOut = share is { HeldBytes: 0, Waiter: not null };
        }

        CompleteAll(granted);
        if (ranOut)
        {
            share.Owner.RanOut();
        }
    }

    /// <summary>Updates the rank of a queued stream, and grants it memory if it is next.</summary>
    private void Reconsider(MemoryShare share)
    {
        List<MemoryWaiter>? granted = null;
        List<(MemoryShare Share, long Bytes)>? surplus = null;
        MemoryWaiter? hopeless = null;
        lock (_gate)
        {
            if (share.Waiter is { } waiter)
            {
                Requeue(waiter);
                Grant(ref granted);
                if (share is { IsStuck: true, Waiter: not null })
                {
                    FindSurplus(BytesOf(waiter), share, ref surplus);
                    if (surplus is null && _readAhead == share.HeldBytes && _unfinished == 0 && NeedsCallers(waiter))
                    {
                        hopeless = waiter; // it already holds as much as it can ever get
                        Forget(waiter);
                    }
                }
            }
        }

        CompleteAll(granted);
        TakeBack(surplus);
        hopeless?.TrySetException(IsStuck(share));
    }

    private long TryTake(MemoryShare share, long mostBytes)
    {
        long bytes = GrantOf(share, mostBytes);
        if (bytes == 0 || IsBehind(share) || !FitsAhead(share, bytes))
        {
            return 0;
        }

        Take(MemoryUse.ReadAhead, bytes);
        share.HeldBytes += bytes;
        return bytes;
    }

    /// <summary>Releases cached data if the next grant of a stream doesn't fit beside it.</summary>
    private bool TryReclaimFor(MemoryShare share, long mostBytes)
    {
        long bytes;
        lock (_gate)
        {
            bytes = _cached > 0 ? GrantOf(share, mostBytes) : 0;
            bytes = bytes > 0 && !NeedsReaders(share, bytes) ? bytes : 0;
        }

        return bytes > 0 && TryReclaim(bytes);
    }

    private bool NeedsReaders(MemoryShare share, long bytes) => _readAhead + bytes > (MayBorrow(share) ? StuckLimit : ReadAheadLimit);

    private bool FitsAhead(MemoryShare share, long bytes) => _reserved + bytes <= CapacityBytes && !NeedsReaders(share, bytes);

    private bool IsBehind(MemoryShare share)
        => Next() is { } next && (next.Use != MemoryUse.ReadAhead || next.Rank.IsBefore(RankOf(share, long.MaxValue)));

    /// <summary>Gets the stream that is served next, whether there is memory for it or not.</summary>
    private MemoryWaiter? NextStream()
        => _streams.Min is not { } first || BytesOf(first) > 0 ? _streams.Min : _streams.FirstOrDefault(waiter => BytesOf(waiter) > 0);

    private void EnqueueStream(MemoryWaiter waiter)
    {
        // A stream at its limit isn't queued until its reader has consumed something. A stuck stream stays queued, because other streams determine
        // its turn.
        MemoryShare share = waiter.Share!;
        if (share.StuckSince != 0 || GrantOf(share, waiter.Bytes) > 0)
        {
            waiter.Rank = RankOf(share, waiter.Sequence);
            waiter.IsQueued = true;
            _streams.Add(waiter);
        }
    }

    private void DequeueStream(MemoryWaiter waiter)
    {
        if (waiter.IsQueued)
        {
            _streams.Remove(waiter);
            waiter.IsQueued = false;
        }
    }

    private void Requeue(MemoryWaiter waiter)
    {
        DequeueStream(waiter);
        EnqueueStream(waiter);
    }

    private static ReadAheadRank RankOf(MemoryShare share, long sequence)
        => new(share.IsStuck ? share.StuckSince : long.MaxValue, share.Owner.IsStarved, share.HeldBytes, sequence);

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
    /// Finds streams that hold more than their share and whose readers don't use it. A reader is idle if it doesn't wait for data and hasn't consumed anything since
    /// <paramref name="asker"/> was refused the last time but one, which is at least one request of the asker ago.
    /// </summary>
    /// <param name="bytes">The number of bytes that are needed.</param>
    /// <param name="asker">The stream that needs them; null for another use, whose queued request lowers the shares.</param>
    /// <param name="surplus">The memory to take back, by stream.</param>
    private void FindSurplus(long bytes, MemoryShare? asker, ref List<(MemoryShare Share, long Bytes)>? surplus)
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
            long above = share.HeldBytes - share.OwedBytes - fair;
            if (share != asker && isIdle && above >= share.UnitBytes && !share.Owner.IsStarved)
            {
                long taken = Math.Min(bytes, above);
                share.Owe(taken);
                (surplus ??= []).Add((share, taken));
                bytes -= taken;
            }
        }

        _cursor %= Math.Max(1, _shares.Count);
    }

    private static void TakeBack(List<(MemoryShare Share, long Bytes)>? surplus)
    {
        foreach ((MemoryShare share, long bytes) in CollectionsMarshal.AsSpan(surplus))
        {
            share.Owner.GiveBack(bytes);
        }
    }
}
