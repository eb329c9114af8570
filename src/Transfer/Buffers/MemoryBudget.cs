using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Transfer.S3.Buffers;

/// <summary>Limits the buffer memory that all transfers of one client hold together, and divides it fairly.</summary>
/// <remarks>
/// <para>
/// Memory that only a caller can release (floors, read-ahead, and unfinished parts) can take at most seven eighths of the budget, so an eighth is always left for
/// data that is released without a caller. Within the seven eighths, floors can take a half, unfinished parts a half, both together three quarters, and read-ahead
/// three eighths. Read-ahead and unfinished parts leave a quarter to the floors. So each use can always get some memory, whatever callers do with the others.
/// </para>
/// <para>
/// Requests are granted in their order, with two exceptions. A request that only callers could satisfy doesn't block others. Streams that wait for read-ahead are
/// served by need (<see cref="MemoryWaiter.Rank"/>).
/// </para>
/// <para>
/// Cached data takes what the others leave, at most three eighths. If a request doesn't fit beside it, cached data is released first (<see cref="Cache"/>). Cached
/// data never waits for memory.
/// </para>
/// <para>The lock guards the counters and the queues. No waiter is woken and no foreign code is called under it.</para>
/// </remarks>
/// <param name="capacityBytes">The limit.</param>
/// <param name="waitLimit">Specifies when a wait ends with an error; null for never.</param>
internal sealed partial class MemoryBudget(long capacityBytes, MemoryWaitLimit? waitLimit = null)
{
    private readonly Lock _gate = new();
    private readonly long[] _held = new long[5];
    private readonly LinkedList<MemoryWaiter>[] _queues = [new(), new(), new()];
    private readonly LinkedList<MemoryWaiter> _patient = new(); // the floors that wait for others to be released
    private long _reserved;
    private long _peak;
    private long _sequence;
    private long _moves;
    private long _callerMoves;
    private long _rents;
    private long _callerRents;
    private bool _closed;

    public long CapacityBytes { get; } = capacityBytes;

    /// <summary>Gets or sets the owner of the cached data.</summary>
    public IReclaimableMemory? Cache { get; set; }

    public long ReservedBytes => Volatile.Read(ref _reserved);

    public long PeakReservedBytes => Volatile.Read(ref _peak);

    /// <summary>Gets the number of requests that wait for memory.</summary>
    public int Waiters
    {
        get
        {
            lock (_gate)
            {
                return _queues.Sum(queue => queue.Count) + _patient.Count + _streams.Count;
            }
        }
    }

    /// <summary>Gets the maximum number of bytes that can be granted for a use.</summary>
    public long GetLimit(MemoryUse use) => use switch
    {
        MemoryUse.Floor => CapacityBytes / 2,
        MemoryUse.ReadAhead or MemoryUse.Cache => CapacityBytes / 8 * 3,
        _ => CapacityBytes, // a single part that is larger than the limit of its use may have all of the budget
    };

    private long CallersLimit => CapacityBytes / 8 * 7;

    /// <summary>Gets the memory that callers pin, with the quarter that others leave to floors.</summary>
    private long PinnedBytes => Math.Max(HeldFor(MemoryUse.Floor), CapacityBytes / 4) + HeldFor(MemoryUse.Unfinished);

    /// <summary>Reserves memory if it is available and no earlier request waits for it.</summary>
    /// <param name="use">The use of the memory. Read-ahead has separate methods.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="leaveBytes">For an unfinished part, the number of bytes that must be left for unfinished parts afterward.</param>
    public bool TryReserve(MemoryUse use, long bytes, long leaveBytes = 0)
    {
        Debug.Assert(use != MemoryUse.ReadAhead, "read-ahead is granted to a stream's share");
        return TryReserveNow(use, bytes, leaveBytes)
            || (use != MemoryUse.Cache && TryReclaim(ReservedBytes + bytes + leaveBytes - CapacityBytes) && TryReserveNow(use, bytes, leaveBytes));
    }

    /// <summary>Reserves memory, and waits for it if necessary.</summary>
    /// <param name="use">The use of the memory. Read-ahead has separate methods.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="isPatient">Whether a floor waits for other floors to be released. The stream of a caller, who may hold the others, is refused instead.</param>
    /// <exception cref="MemoryLimitException">Thrown when the memory can never be granted, or nothing happens that could free it.</exception>
    /// <exception cref="ObjectDisposedException">Thrown when the client was disposed.</exception>
    public ValueTask ReserveAsync(MemoryUse use, long bytes, CancellationToken cancellationToken, bool isPatient = false)
    {
        Debug.Assert(use != MemoryUse.ReadAhead, "read-ahead is granted to a stream's share");
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        if (bytes > GetLimit(use))
        {
            return ValueTask.FromException(TooMuch(use, bytes));
        }

        MemoryWaiter? waiter = null;
        List<MemoryShare>? idle = null;
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            if (_closed)
            {
                return ValueTask.FromException(Closed());
            }

            bool isSpent = use == MemoryUse.Floor && ClaimedFloorBytes + bytes > GetLimit(use);
            if (isSpent && !isPatient)
            {
                return ValueTask.FromException(FloorsAreSpent());
            }

            if (!isSpent && !(isPatient && _patient.Count > 0) && !IsBehindOthers(use) && Fits(use, bytes))
            {
                Take(use, bytes);
                if (use == MemoryUse.Floor)
                {
                    Grant(ref granted); // a part that needs callers now doesn't block later requests anymore
                }
            }
            else
            {
                waiter = new MemoryWaiter(use, bytes, ++_sequence, null) { IsQueued = true };
                (isPatient ? _patient : _queues[(int)use]).AddLast(waiter.Node);
                if (NeedsCallers(waiter))
                {
                    FindIdle(bytes, null, ref idle);
                }
            }
        }

        CompleteAll(granted);
        TakeBack(idle);
        if (waiter is null)
        {
            return ValueTask.CompletedTask;
        }

        TryReclaim(MissingBytes);
        return new ValueTask(WaitAsync(waiter, cancellationToken));
    }

    /// <summary>Releases memory.</summary>
    public void Release(MemoryUse use, long bytes)
    {
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            Remove(use, bytes);
            Grant(ref granted);
        }

        CompleteAll(granted);
    }

    /// <summary>Changes the use of memory, for example when a part is complete and is released without a caller from now on.</summary>
    public void Convert(MemoryUse from, MemoryUse to, long bytes)
    {
        List<MemoryWaiter>? granted = null;
        lock (_gate)
        {
            Remove(from, bytes);
            Take(to, bytes);
            Grant(ref granted);
        }

        CompleteAll(granted);
    }

    /// <summary>Gets the number of bytes that the next waiting request lacks, and that cached data could make available.</summary>
    public long MissingBytes
    {
        get
        {
            lock (_gate)
            {
                return Next() is { } next ? Math.Max(0, _reserved + GetBytes(next) - CapacityBytes) : 0;
            }
        }
    }

    /// <summary>Gets the number of bytes that must be released before this many more can be cached.</summary>
    public long MissingForCache(long bytes)
    {
        lock (_gate)
        {
            return Math.Max(0, Math.Max(HeldFor(MemoryUse.Cache) + bytes - GetLimit(MemoryUse.Cache), _reserved + bytes - CapacityBytes));
        }
    }

    /// <summary>Counts a chunk that is about to be filled, so that waiters can detect that data is moving. One caller at a time.</summary>
    public void NoteRent(MemoryUse use)
    {
        Volatile.Write(ref _rents, _rents + 1);
        if (use is not (MemoryUse.Transient or MemoryUse.Cache))
        {
            Volatile.Write(ref _callerRents, _callerRents + 1);
        }
    }

    /// <summary>Ends every current and future wait, because the client was disposed.</summary>
    public void Close()
    {
        List<MemoryWaiter> waiting;
        lock (_gate)
        {
            _closed = true;
            waiting = [.. _queues.SelectMany(queue => queue), .. _patient, .. _shares.Select(share => share.Waiter).OfType<MemoryWaiter>()];
            foreach (MemoryWaiter waiter in waiting)
            {
                Forget(waiter);
            }
        }

        foreach (MemoryWaiter waiter in waiting)
        {
            waiter.TrySetException(Closed());
        }
    }

    private static void CompleteAll(List<MemoryWaiter>? granted)
    {
        foreach (MemoryWaiter waiter in CollectionsMarshal.AsSpan(granted))
        {
            waiter.TrySetResult();
        }
    }

    private long HeldFor(MemoryUse use) => _held[(int)use];

    private long ClaimedFloorBytes => HeldFor(MemoryUse.Floor) + _queues[(int)MemoryUse.Floor].Sum(waiter => waiter.Bytes);

    private bool Fits(MemoryUse use, long bytes)
        => _reserved + bytes <= CapacityBytes
            && (use == MemoryUse.Cache ? HeldFor(use) + bytes <= GetLimit(use) : !NeedsCallers(use, bytes, HeldFor(MemoryUse.ReadAhead)));

    private bool TryReserveNow(MemoryUse use, long bytes, long leaveBytes)
    {
        lock (_gate)
        {
            if (IsBehindOthers(use) || !Fits(use, bytes) || (leaveBytes > 0 && !LeavesRoom(bytes + leaveBytes)))
            {
                return false;
            }

            Take(use, bytes);
            return true;
        }
    }

    /// <summary>Releases cached data if a request doesn't fit beside it.</summary>
    private bool TryReclaim(long missingBytes) => missingBytes > 0 && Cache?.Reclaim(missingBytes) == true;

    /// <summary>Returns whether unfinished parts could get this many more bytes without exceeding their limit.</summary>
    private bool LeavesRoom(long bytes) => bytes <= CapacityBytes / 2 && Fits(MemoryUse.Unfinished, bytes);

    /// <summary>Returns whether a request can be granted only after callers have released memory, whatever is released without them.</summary>
    private bool NeedsCallers(MemoryWaiter waiter) => waiter.Share is { } share
        ? GetBytes(waiter) is var bytes && (bytes == 0 || NeedsReaders(share, bytes))
        : NeedsCallers(waiter.Use, waiter.Bytes, HeldFor(MemoryUse.ReadAhead));

    private bool NeedsCallers(MemoryUse use, long bytes, long readAhead)
    {
        if (use == MemoryUse.Floor && HeldFor(use) + bytes > GetLimit(use))
        {
            return true; // it waits for other floors
        }

        long floors = HeldFor(MemoryUse.Floor) + (use == MemoryUse.Floor ? bytes : 0);
        long unfinished = HeldFor(MemoryUse.Unfinished) + (use == MemoryUse.Unfinished ? bytes : 0);
        if (use == MemoryUse.Transient || (use == MemoryUse.Unfinished && unfinished == bytes && bytes > CapacityBytes / 2))
        {
            return floors + HeldFor(MemoryUse.Unfinished) + readAhead + bytes > CapacityBytes;
        }

        long pinned = Math.Max(floors, use == MemoryUse.Floor ? 0 : CapacityBytes / 4) + unfinished;
        return pinned > CapacityBytes / 4 * 3 || pinned + readAhead > CallersLimit;
    }

    /// <summary>Gets the bytes that the first request for a use waits for, if they would be available without read-ahead.</summary>
    private long PendingBytes(MemoryUse use)
        => _queues[(int)use].First?.Value is { } first && !NeedsCallers(use, first.Bytes, readAhead: 0) ? first.Bytes : 0;

    private bool IsBehindOthers(MemoryUse use) => use != MemoryUse.Floor && Next() is not null;

    /// <summary>Gets the request that is served next; null if there is none, or if all waiting requests need callers.</summary>
    private MemoryWaiter? Next()
    {
        if (_queues[(int)MemoryUse.Floor].First is { } floor && !NeedsCallers(floor.Value))
        {
            // Floors have precedence, because there is memory for every stream that was opened.
            return floor.Value;
        }

        if (_patient.First is { } patient && ClaimedFloorBytes + patient.Value.Bytes <= GetLimit(MemoryUse.Floor) && !NeedsCallers(patient.Value))
        {
            return patient.Value;
        }

        MemoryWaiter? next = _queues[(int)MemoryUse.Unfinished].First is { } part && !NeedsCallers(part.Value) ? part.Value : null;
        for (LinkedListNode<MemoryWaiter>? node = _queues[(int)MemoryUse.Transient].First; node is not null; node = node.Next)
        {
            if (!NeedsCallers(node.Value))
            {
                next = next is null || node.Value.Sequence < next.Sequence ? node.Value : next;
                break;
            }
        }

        return _streams.Min is { } stream && !NeedsCallers(stream) && (next is null || stream.Sequence < next.Sequence) ? stream : next;
    }

    private void Grant(ref List<MemoryWaiter>? granted)
    {
        while (Next() is { } next)
        {
            long bytes = GetBytes(next);
            if (next.Share is { } share ? !FitsAhead(share, bytes) : !Fits(next.Use, bytes))
            {
                return;
            }

            Forget(next);
            Take(next.Use, bytes);
            next.Share?.HeldBytes += bytes;
            next.Share?.GrantedBytes += bytes;
            (granted ??= []).Add(next);
        }
    }

    private long GetBytes(MemoryWaiter waiter) => waiter.Share is { } share ? GetGrant(share, waiter.Bytes) : waiter.Bytes;

    private void Forget(MemoryWaiter waiter)
    {
        waiter.Node.List?.Remove(waiter.Node);
        if (waiter.Share is { } share)
        {
            _streams.Remove(waiter);
            share.Waiter = null;
        }

        waiter.IsQueued = false;
    }

    private void Take(MemoryUse use, long bytes)
    {
        _held[(int)use] += bytes;
        _reserved += bytes;
        _peak = Math.Max(_peak, _reserved);
    }

    private void Remove(MemoryUse use, long bytes)
    {
        _held[(int)use] -= bytes;
        _reserved -= bytes;
        _moves++;
        _callerMoves += use is MemoryUse.Transient or MemoryUse.Cache ? 0 : 1;
        Debug.Assert(HeldFor(use) >= 0, $"more was released than was reserved: {HeldFor(use)} for {use}");
    }
}
