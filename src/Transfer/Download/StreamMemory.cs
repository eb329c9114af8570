using Transfer.Buffers;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>The memory of one ordered read: the floor that it owns, and its share of what all streams fetch ahead.</summary>
/// <remarks>
/// A stream that is refused read-ahead waits for it, and when its reader has consumed all that it holds, it goes on with its floor while the request stays in line. A reader can be stuck: it waits for more data while it holds all that
/// arrived, nothing is on its way, and there is no memory to request more. Then only other streams' memory can let it go on, so it comes first, and if nobody gives any
/// back, the reader gets an error.
/// </remarks>
internal sealed class StreamMemory : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ChunkPool _pool;
    private readonly ChunkLease _floor;
    private readonly MemoryShare _share;
    private readonly Func<bool> _isFetching;
    private readonly Action _wakeReader;
    private MemoryWaiter? _request;
    private InvalidOperationException? _stuckError;
    private bool _isWaiting;
    private bool _readerHoldsAll;
    private bool _isDisposed;

    /// <param name="pool">The memory.</param>
    /// <param name="floor">The stream's floor. It is this object's from now on.</param>
    /// <param name="owner">The stream.</param>
    /// <param name="isFetching">Whether data is on its way to the reader, or there already.</param>
    /// <param name="wakeReader">Makes a reader that waits look again.</param>
    public StreamMemory(ChunkPool pool, ChunkLease floor, IReadAheadOwner owner, Func<bool> isFetching, Action wakeReader)
    {
        _pool = pool;
        _floor = floor;
        _share = pool.Budget.Add(owner, pool.ChunkSize);
        _isFetching = isFetching;
        _wakeReader = wakeReader;
    }

    /// <summary>Reserves a floor.</summary>
    /// <exception cref="InvalidOperationException">The open streams' floors fill the budget.</exception>
    public static ValueTask<ChunkLease> ReserveFloorAsync(ChunkPool pool, CancellationToken cancellationToken)
        => pool.LeaseAsync(MemoryUse.Floor, TransferDefaults.FloorChunks, revolving: true, cancellationToken);

    /// <summary>Waits for memory for a part of up to so many bytes: for less of it if memory is short.</summary>
    public ValueTask<PartGrant> AdmitAsync(long wantBytes, CancellationToken cancellationToken)
    {
        // One chunk more than the bytes need, so that a chunk can be handed over before it is full when the reader waits.
        int chunks = _pool.ChunksFor(Math.Min(wantBytes, _pool.Budget.LimitOf(MemoryUse.ReadAhead))) + 1;
        if (_request is null or { Task.IsFaulted: true })
        {
            if (_pool.TryLeaseAhead(_share, chunks) is { } lease)
            {
                return ValueTask.FromResult(GrantOf(lease));
            }

            Request(chunks);
        }
        else
        {
            _pool.Budget.Insist(_share);
        }

        return TryTakeRequested(out PartGrant grant) || TryTakeFloor(out grant) ? ValueTask.FromResult(grant) : WaitAsync(chunks, cancellationToken);
    }

    /// <summary>Nothing is left to fetch for now: a request in line is withdrawn. The next part that is admitted wants memory again.</summary>
    public void WantsNoMore()
    {
        Withdraw();
        _pool.Budget.SetWants(_share, false);
    }

    /// <summary>Tells the budget that so much more is given back than it asked for, or less.</summary>
    public void Owe(long bytes) => _pool.Budget.Owe(_share, bytes);

    /// <summary>Asks the stream for all of its read-ahead.</summary>
    public void GiveBackAll() => _pool.Budget.TakeBackAll(_share);

    /// <summary>A reader waits for data: its stream comes before those whose readers don't.</summary>
    public void NoteStarved() => _pool.Budget.NoteStarved(_share);

    /// <summary>Waits with a reader that holds data and consumes none before it gets more.</summary>
    /// <exception cref="InvalidOperationException">There is no memory for more than the reader holds.</exception>
    public async ValueTask WaitHoldingAsync(ValueTask readable)
    {
        Volatile.Write(ref _stuckError, null);
        Volatile.Write(ref _readerHoldsAll, true);
        try
        {
            LookWhetherStuck();
            await readable.ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _readerHoldsAll, false);
            _pool.Budget.SetStuck(_share, false);
        }

        if (Interlocked.Exchange(ref _stuckError, null) is { } error)
        {
            throw error;
        }
    }

    /// <summary>Looks whether the reader is stuck. To be called whenever a fetch has ended.</summary>
    public void LookWhetherStuck()
    {
        Interlocked.MemoryBarrier(); // each of those who call this has changed one of the conditions before
        if (Volatile.Read(ref _readerHoldsAll) && Volatile.Read(ref _isWaiting) && !_isFetching())
        {
            _pool.Budget.SetStuck(_share, true);
            _floor.Wake();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
        }

        Withdraw();
        _floor.Dispose();
        _share.Dispose();
    }

    private async ValueTask<PartGrant> WaitAsync(int chunks, CancellationToken cancellationToken)
    {
        while (true)
        {
            using CancellationTokenSource giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            Task floor = WhenFloorIsUsableAsync(giveUp.Token);
            Volatile.Write(ref _isWaiting, true);
            LookWhetherStuck();
            Task granted = _request is { } request ? _pool.Budget.WatchAsync(request, giveUp.Token) : floor;
            await Task.WhenAny(granted, floor).ConfigureAwait(false);
            Volatile.Write(ref _isWaiting, false);
            await giveUp.CancelAsync().ConfigureAwait(false);
            await floor.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await granted.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
            if (TryTakeRequested(out PartGrant grant) || TryTakeFloor(out grant))
            {
                return grant;
            }

            if (granted.Exception?.InnerException is InvalidOperationException error and not ObjectDisposedException)
            {
                // Only the reader can do something about it. The wait goes on until it does.
                _pool.Budget.SetStuck(_share, false);
                Volatile.Write(ref _stuckError, error);
                _wakeReader();
                Request(chunks);
            }
            else if (granted.IsFaulted)
            {
                await granted.ConfigureAwait(false); // the client was disposed
            }
        }
    }

    /// <summary>Looks again whether the floor is to be used.</summary>
    public void LookAtFloor() => _floor.Wake();

    // In ranges of its floor, a stream is slow and asks for many. While its reader has more to consume, waiting is better.
    private bool WantsFloor => _share.HeldBytes == 0 || _share.IsStuck;

    private bool TryTakeFloor(out PartGrant grant)
    {
        grant = new PartGrant(_floor, (long)_floor.Chunks * _pool.ChunkSize, IsFloor: true);
        return WantsFloor && _floor.TryClaim();
    }

    private async Task WhenFloorIsUsableAsync(CancellationToken cancellationToken)
    {
        while (!WantsFloor || !_floor.IsIdle)
        {
            await _floor.WhenChangedAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private bool TryTakeRequested(out PartGrant grant)
    {
        grant = default;
        if (_request is not { } request || _pool.TakeGranted(request) is not { } lease)
        {
            return false;
        }

        _request = null;
        grant = GrantOf(lease);
        return true;
    }

    private void Request(int chunks)
    {
        MemoryWaiter request = _pool.RequestAhead(_share, chunks);
        lock (_gate)
        {
            _request = request;
            if (!_isDisposed)
            {
                return;
            }
        }

        Withdraw();
    }

    private void Withdraw()
    {
        if (Interlocked.Exchange(ref _request, null) is { } request)
        {
            _pool.Budget.Withdraw(request);
        }
    }

    private PartGrant GrantOf(ChunkLease lease) => new(lease, (long)Math.Max(1, lease.Chunks - 1) * _pool.ChunkSize, IsFloor: false);
}
