using Transfer.S3.Buffers;
using Transfer.S3.Requests;

namespace Transfer.S3.Download;

/// <summary>The memory of one ordered read: the floor that it owns, and its share of the read-ahead memory of all streams.</summary>
/// <remarks>
/// A stream whose request for read-ahead is refused waits for it. When its reader has consumed all data, the stream continues with its floor while
/// the request stays in the queue. A reader can be stuck: it waits for more data while it holds all that arrived, nothing is being fetched, and there
/// is no memory to request more. Only memory of other streams can help it then, so it comes first. If no stream gives any back, the reader gets an
/// error.
/// </remarks>
internal sealed class StreamMemory : IDisposable
{
    private readonly ChunkPool _pool;
    private readonly ChunkLease _floor;
    private readonly MemoryShare _share;
    private readonly IReadAheadOwner _stream;
    private readonly AsyncSignal _readable;
    private MemoryWaiter? _watched;
    private MemoryLimitException? _stuckError;
    private bool _isHolding;
    private bool _isWaiting;

    /// <param name="pool">The memory.</param>
    /// <param name="floor">The floor of the stream. This object owns it.</param>
    /// <param name="stream">The stream, which owns this object.</param>
    /// <param name="readable">Makes a waiting reader check again.</param>
    public StreamMemory(ChunkPool pool, ChunkLease floor, IReadAheadOwner stream, AsyncSignal readable)
    {
        _pool = pool;
        _floor = floor;
        _share = pool.Budget.Add(stream, pool.ChunkSize);
        _stream = stream;
        _readable = readable;
    }

    /// <summary>Reserves a floor.</summary>
    /// <param name="pool">The memory.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="isPatient">Whether it waits for the floors of other streams.</param>
    /// <exception cref="MemoryLimitException">The floors of the open streams fill the budget.</exception>
    public static ValueTask<ChunkLease> ReserveFloorAsync(ChunkPool pool, CancellationToken cancellationToken, bool isPatient = false)
        => pool.LeaseAsync(MemoryUse.Floor, TransferDefaults.FloorChunks, revolving: true, cancellationToken, isPatient);

    /// <summary>Waits for memory for a part of at most the given length. If memory is short, the grant is smaller.</summary>
    public ValueTask<PartReservation> AdmitAsync(long wantBytes, CancellationToken cancellationToken)
    {
        // One chunk more than the data needs is reserved, so that a chunk can be delivered before it is full if the reader waits.
        int chunks = _pool.ChunksFor(Math.Min(wantBytes, _pool.Budget.GetLimit(MemoryUse.ReadAhead))) + 1;
        MemoryWaiter request = _pool.RequestAhead(_share, chunks);
        return TryTake(out PartReservation grant) ? ValueTask.FromResult(grant) : WaitAsync(request, chunks, cancellationToken);
    }

    /// <summary>Withdraws the queued request, because there is nothing left to fetch for now. The next admitted part requests memory again.</summary>
    public void WantsNoMore() => _pool.Budget.Withdraw(_share);

    /// <summary>Gets the number of bytes of read-ahead that the stream holds.</summary>
    public long HeldBytes => _share.HeldBytes;

    /// <summary>Gets a value that indicates whether the reader is stuck if nothing is being fetched for it. The value can change at any time.</summary>
    public bool MayBeStuck => Volatile.Read(ref _isHolding) && Volatile.Read(ref _isWaiting);

    /// <summary>Asks the stream for all of its read-ahead.</summary>
    public void GiveBackAll() => _pool.Budget.TakeBackAll(_share);

    /// <summary>Reports that the reader waits for data, which gives its stream priority over those whose readers don't wait.</summary>
    public void NoteStarved()
    {
        if (_share.Waiter is { Rank.IsBehindStarved: true })
        {
            _pool.Budget.Reconsider(_share);
        }
    }

    /// <summary>Waits for a reader that holds data and doesn't consume any before it gets more.</summary>
    /// <exception cref="MemoryLimitException">There is no memory for more data than the reader holds.</exception>
    public async ValueTask WaitHoldingAsync(ValueTask readable)
    {
        Volatile.Write(ref _stuckError, null);
        Volatile.Write(ref _isHolding, true);
        try
        {
            LookWhetherStuck();
            await readable.ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _isHolding, false);
            _pool.Budget.Reconsider(_share);
        }

        if (Interlocked.Exchange(ref _stuckError, null) is { } error)
        {
            throw error;
        }
    }

    /// <summary>Checks whether the reader is stuck. It must be called whenever a fetch has ended.</summary>
    public void LookWhetherStuck()
    {
        Interlocked.MemoryBarrier(); // each caller has just changed one of the conditions
        if (_stream.IsStuck)
        {
            _pool.Budget.Reconsider(_share);
            _floor.Wake();
        }
    }

    public void Dispose()
    {
        _share.Dispose();
        _floor.Dispose();
    }

    private async ValueTask<PartReservation> WaitAsync(MemoryWaiter request, int chunks, CancellationToken cancellationToken)
    {
        Volatile.Write(ref _isWaiting, true);
        try
        {
            while (true)
            {
                Interlocked.MemoryBarrier();
                if (_stream.IsStuck)
                {
                    _pool.Budget.Reconsider(_share);
                }

                if (TryTake(out PartReservation grant))
                {
                    return grant;
                }

                if (request.Task.Exception?.InnerException is ObjectDisposedException)
                {
                    await request.Task.ConfigureAwait(false); // the client was disposed
                }

                if (request.Task.Exception?.InnerException is MemoryLimitException error)
                {
                    // Only the reader can resolve this. The wait continues until it does.
                    Volatile.Write(ref _stuckError, error);
                    Volatile.Write(ref _isHolding, false);
                    _readable.Set();
                    request = _pool.RequestAhead(_share, chunks);
                    continue;
                }

                if (_watched != request)
                {
                    _watched = request;
                    _ = WakeAfterAsync(_pool.Budget.WatchAsync(request));
                }

                await _floor.WhenChangedAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            Volatile.Write(ref _isWaiting, false);
        }
    }

    private async Task WakeAfterAsync(Task watching)
    {
        await watching.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _floor.Wake();
    }

    /// <summary>Checks again whether the floor can be used.</summary>
    public void LookAtFloor() => _floor.Wake();

    // With ranges of its floor, a stream is slow and sends many requests. While its reader has data to consume, waiting is better.
    private bool WantsFloor => HeldBytes == 0 || _share.IsStuck;

    private bool TryTake(out PartReservation grant)
    {
        if (_pool.TakeGranted(_share) is { } lease)
        {
            grant = new PartReservation(lease, (long)Math.Max(1, lease.Chunks - 1) * _pool.ChunkSize, IsFloor: false);
            return true;
        }

        grant = new PartReservation(_floor, (long)_floor.Chunks * _pool.ChunkSize, IsFloor: true);
        return WantsFloor && _floor.TryClaim();
    }
}
