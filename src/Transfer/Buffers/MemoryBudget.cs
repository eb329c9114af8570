using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Transfer.Buffers;

/// <summary>
/// The bytes of buffer that all transfers of one client may hold together. Credit is granted in the order of asking.
/// </summary>
/// <remarks>
/// What comes back only when a caller acts may not take all of it. Read-ahead may take three eighths of the budget, so a caller who opens
/// streams and does not read them leaves room for the rest; floors may take half, beyond which opening fails with an error instead of
/// waiting for memory that only the waiting caller could free; an eighth is always left for what drains by itself.
/// The lock guards the counters and the queue; waiters are completed after it is left.
/// </remarks>
internal sealed class MemoryBudget(long capacityBytes)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<Waiter> _waiters = new();
    private long _reserved;
    private long _floors;
    private long _waitingFloors;
    private long _readAhead;
    private long _peak;
    private long _releases;

    public long CapacityBytes { get; } = capacityBytes;

    /// <summary>The most that one use of a kind can ever be granted.</summary>
    public long LimitOf(MemoryUse use) => use switch
    {
        MemoryUse.Floor => CapacityBytes / 2,
        MemoryUse.ReadAhead => CapacityBytes / 8 * 3,
        _ => CapacityBytes,
    };

    public long ReservedBytes => Volatile.Read(ref _reserved);

    public long PeakReservedBytes => Volatile.Read(ref _peak);

    /// <summary>How often credit has come back.</summary>
    public long Releases => Volatile.Read(ref _releases);

    /// <summary>Takes the credit if it is there and nobody waits for it already.</summary>
    public bool TryReserve(MemoryUse use, long bytes)
    {
        lock (_gate)
        {
            if (IsBehindOthers(use) || !Fits(use, bytes))
            {
                return false;
            }

            Take(use, bytes);
            return true;
        }
    }

    /// <summary>Takes the credit, waiting in line for it.</summary>
    /// <exception cref="InvalidOperationException">The credit could never be granted.</exception>
    public ValueTask ReserveAsync(MemoryUse use, long bytes, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        if (bytes > LimitOf(use))
        {
            return ValueTask.FromException(new InvalidOperationException(
                $"{Sizes.Text(bytes)} of buffer were asked for, and the memory budget allows {Sizes.Text(LimitOf(use))} of its {Sizes.Text(CapacityBytes)} for it."));
        }

        Waiter waiter;
        lock (_gate)
        {
            if (use == MemoryUse.Floor && _floors + _waitingFloors + bytes > LimitOf(use))
            {
                return ValueTask.FromException(new InvalidOperationException(
                    $"The open streams hold {Sizes.Text(_floors + _waitingFloors)} of the memory budget of {Sizes.Text(CapacityBytes)}: "
                    + $"close some of them, or raise {nameof(TransferClientOptions)}.{nameof(TransferClientOptions.MemoryBytes)}."));
            }

            if (!IsBehindOthers(use) && Fits(use, bytes))
            {
                Take(use, bytes);
                return ValueTask.CompletedTask;
            }

            waiter = new Waiter(this, use, bytes);
            Enqueue(waiter);
        }

        return new ValueTask(waiter.WaitAsync(cancellationToken));
    }

    public void Release(MemoryUse use, long bytes)
    {
        List<Waiter>? granted = null;
        lock (_gate)
        {
            _reserved -= bytes;
            _releases++;
            switch (use)
            {
                case MemoryUse.Floor:
                    _floors -= bytes;
                    break;
                case MemoryUse.ReadAhead:
                    _readAhead -= bytes;
                    break;
            }

            Debug.Assert(_reserved >= 0 && _floors >= 0 && _readAhead >= 0, $"more was released than was reserved: {_reserved}, {_floors}, {_readAhead}");
            GrantWaiters(ref granted);
        }

        CompleteAll(granted);
    }

    /// <summary>
    /// Whether somebody was here before who is to be served first. Read-ahead that its own limit holds up waits for its readers, perhaps for ever:
    /// only other read-ahead waits behind it.
    /// </summary>
    private bool IsBehindOthers(MemoryUse use)
    {
        if (use == MemoryUse.Floor)
        {
            return false;
        }

        for (LinkedListNode<Waiter>? node = _waiters.First; node is not null; node = node.Next)
        {
            if (use == MemoryUse.ReadAhead || !IsHeldUpByItsLimit(node.Value))
            {
                return true;
            }
        }

        return false;
    }

    private bool IsHeldUpByItsLimit(Waiter waiter)
        => waiter.Use == MemoryUse.ReadAhead && _readAhead + waiter.Bytes > LimitOf(MemoryUse.ReadAhead);

    private void Enqueue(Waiter waiter)
    {
        LinkedListNode<Waiter>? before = null;
        if (waiter.Use == MemoryUse.Floor)
        {
            // Floors go first: a stream that is being opened must not wait behind read-ahead that may never be granted.
            _waitingFloors += waiter.Bytes;
            before = _waiters.First;
            while (before?.Value.Use == MemoryUse.Floor)
            {
                before = before.Next;
            }
        }

        if (before is not null)
        {
            _waiters.AddBefore(before, waiter.Node);
        }
        else
        {
            _waiters.AddLast(waiter.Node);
        }
    }

    private void Dequeue(Waiter waiter)
    {
        _waiters.Remove(waiter.Node);
        if (waiter.Use == MemoryUse.Floor)
        {
            _waitingFloors -= waiter.Bytes;
        }
    }

    private static void CompleteAll(List<Waiter>? granted)
    {
        foreach (Waiter waiter in CollectionsMarshal.AsSpan(granted))
        {
            waiter.Complete();
        }
    }

    private void GrantWaiters(ref List<Waiter>? granted)
    {
        // In order, with one exception: what is held up by its own kind's limit does not hold up the other kinds.
        bool readAheadBlocked = false;
        for (LinkedListNode<Waiter>? node = _waiters.First, next; node is not null; node = next)
        {
            next = node.Next;
            Waiter waiter = node.Value;
            if (waiter.Use == MemoryUse.ReadAhead && readAheadBlocked)
            {
                continue;
            }

            if (Fits(waiter.Use, waiter.Bytes))
            {
                Dequeue(waiter);
                Take(waiter.Use, waiter.Bytes);
                (granted ??= []).Add(waiter);
            }
            else if (IsHeldUpByItsLimit(waiter))
            {
                readAheadBlocked = true;
            }
            else
            {
                return;
            }
        }
    }

    private bool Fits(MemoryUse use, long bytes) => _reserved + bytes <= CapacityBytes && use switch
    {
        MemoryUse.Floor => _floors + bytes <= LimitOf(use),
        MemoryUse.ReadAhead => _readAhead + bytes <= LimitOf(use),
        _ => true,
    };

    private void Take(MemoryUse use, long bytes)
    {
        _reserved += bytes;
        _peak = Math.Max(_peak, _reserved);
        switch (use)
        {
            case MemoryUse.Floor:
                _floors += bytes;
                break;
            case MemoryUse.ReadAhead:
                _readAhead += bytes;
                break;
        }
    }

    private bool TryForget(Waiter waiter)
    {
        List<Waiter>? granted = null;
        lock (_gate)
        {
            if (waiter.Node.List is null)
            {
                return false; // already granted: the grant stands and cancellation comes too late
            }

            Dequeue(waiter);
            GrantWaiters(ref granted); // the one behind may need less
        }

        CompleteAll(granted);
        return true;
    }

    private sealed class Waiter : TaskCompletionSource
    {
        private readonly MemoryBudget _budget;

        public Waiter(MemoryBudget budget, MemoryUse use, long bytes)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            _budget = budget;
            Use = use;
            Bytes = bytes;
            Node = new LinkedListNode<Waiter>(this);
        }

        public MemoryUse Use { get; }

        public long Bytes { get; }

        public LinkedListNode<Waiter> Node { get; }

        public void Complete() => SetResult();

        public async Task WaitAsync(CancellationToken cancellationToken)
        {
            CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
                static (state, token) =>
                {
                    Waiter waiter = (Waiter)state!;
                    if (waiter._budget.TryForget(waiter))
                    {
                        waiter.SetCanceled(token);
                    }
                },
                this);
            await using (registration.ConfigureAwait(false))
            {
                await Task.ConfigureAwait(false);
            }
        }
    }
}
