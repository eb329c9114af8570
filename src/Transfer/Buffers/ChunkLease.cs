using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Buffers;

/// <summary>
/// A number of chunks that the budget has already paid for. Renting from a lease doesn't ask the budget again, so a body that has begun to arrive never waits for
/// other transfers.
/// </summary>
/// <remarks>
/// A plain lease is used once: each chunk that is returned returns its credit to the budget immediately. A revolving lease keeps its credit until it is
/// disposed, so that its owner can rent the same chunks repeatedly. A growing lease
/// (<see cref="GrowTo"/>) is a plain one that takes more credit when a chunk is rented. It is used for a part that a caller fills at an unknown speed.
/// </remarks>
internal sealed class ChunkLease : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ChunkPool _pool;
    private readonly AsyncSignal _cameBack = new();
    private MemoryUse _use;
    private MemoryShare? _share;
    private int _available;
    private int _out;
    private int _target;
    private bool _claimed;
    private bool _disposed;

    internal ChunkLease(ChunkPool pool, MemoryUse use, int chunks, bool revolving, MemoryShare? share = null)
    {
        _pool = pool;
        _share = share;
        _use = use;
        _available = chunks;
        IsRevolving = revolving;
        Chunks = chunks;
    }

    /// <summary>Gets the number of chunks that were leased initially.</summary>
    public int Chunks { get; }

    /// <summary>Gets the number of bytes in a chunk.</summary>
    public int ChunkSize => _pool.ChunkSize;

    private bool IsWhole => _available == Chunks;

    /// <summary>Reserves an idle lease for one user. It isn't idle again before that user has released it, even if no chunk was rented from it.</summary>
    public bool TryClaim()
    {
        lock (_gate)
        {
            if (!IsWhole || _claimed || _disposed)
            {
                return false;
            }

            _claimed = true;
            return true;
        }
    }

    /// <summary>Releases the reservation of <see cref="TryClaim"/>. Chunks that are still rented are returned later.</summary>
    public void Unclaim()
    {
        lock (_gate)
        {
            _claimed = false;
        }

        _cameBack.Set();
    }

    /// <summary>
    /// Rents a chunk. It waits only if the lease revolves and all of its chunks are rented, or if the lease grows and there is no memory. Only one caller can wait
    /// at a time.
    /// </summary>
    /// <exception cref="MemoryLimitException">Thrown when the lease grows, and nothing happens that could free memory.</exception>
    public ValueTask<Chunk> RentAsync(CancellationToken cancellationToken)
    {
        return TryRent(out Chunk? chunk) ? new ValueTask<Chunk>(chunk) : WaitForChunkAsync(cancellationToken);
    }

    public bool TryRent([NotNullWhen(true)] out Chunk? chunk)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_available == 0 && !TryGrowStep())
            {
                chunk = null;
                return false;
            }

            _available--;
            _out++;
        }

        try
        {
            chunk = _pool.Rent(this, _use);
            return true;
        }
        catch
        {
            lock (_gate)
            {
                _available++;
                _out--;
            }

            throw;
        }
    }

    /// <summary>Gets a value that indicates whether the lease keeps its credit while its chunks are rented and returned.</summary>
    public bool IsRevolving { get; private set; }

    /// <summary>Converts a plain lease to a revolving one. It must be called before the first chunk is rented.</summary>
    public void Revolve()
    {
        Debug.Assert(IsWhole, "chunks are already rented");
        IsRevolving = true;
    }

    /// <summary>
    /// Lets a plain lease take more credit when it is needed, up to a total number of chunks. After it has grown, all of it counts as memory of an unfinished part.
    /// </summary>
    public void GrowTo(int chunks) => _target = chunks;

    /// <summary>Ends the growth of a lease: its part is complete, and its memory is released by the network or the disk, without a caller.</summary>
    public void Settle()
    {
        int unused;
        int used;
        lock (_gate)
        {
            _target = 0;
            if (_use == MemoryUse.Transient || _disposed)
            {
                return;
            }

            (unused, used) = (_available, _out);
            _available = 0;
            if (used > 0)
            {
                _pool.Budget.Convert(_use, MemoryUse.Transient, Bytes(used));
            }

            if (unused > 0)
            {
                _pool.Budget.Release(_use, Bytes(unused));
            }

            _use = MemoryUse.Transient;
        }
    }

    /// <summary>Gives up the data in the chunks, which the stream of a share has fetched ahead. The memory is in transit until the fetch has returned it.</summary>
    public void GiveUp()
    {
        lock (_gate)
        {
            if (_share is not null)
            {
                _pool.Budget.GiveUp(_share, Bytes(_available + _out));
                (_use, _share) = (MemoryUse.Transient, null);
            }
        }
    }

    /// <summary>
    /// Returns the credit of a revolving lease while none of its chunks is rented. It must be taken again before a chunk is rented. Memory for reading ahead belongs to a
    /// share, whose owner gives it back.
    /// </summary>
    /// <returns>Whether the credit was returned.</returns>
    public bool TryReturnCredit()
    {
        lock (_gate)
        {
            if (!IsRevolving || _share is not null || !IsWhole || _claimed || _disposed)
            {
                return false;
            }

            _available = 0;
        }

        _pool.Budget.Release(_use, Bytes(Chunks));
        return true;
    }

    /// <summary>Takes the credit again after <see cref="TryReturnCredit"/>, and waits for it if necessary.</summary>
    public async ValueTask TakeCreditAgainAsync(CancellationToken cancellationToken)
    {
        await _pool.Budget.ReserveAsync(_use, Bytes(Chunks), cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            if (!_disposed)
            {
                _available = Chunks;
                return;
            }
        }

        _pool.Budget.Release(_use, Bytes(Chunks));
    }

    /// <summary>Adds one chunk to a plain lease if the budget has unused memory.</summary>
    public bool TryGrow()
    {
        MemoryShare? share = Volatile.Read(ref _share);
        if (IsRevolving)
        {
            return false;
        }

        if (share is null ? !_pool.Budget.TryReserve(_use, _pool.ChunkSize) : !_pool.Budget.TryReserveAhead(share))
        {
            return false;
        }

        lock (_gate)
        {
            if (!_disposed && _share == share)
            {
                _available++;
                return true;
            }
        }

        Release(1, share, wasConsumed: false);
        return false;
    }

    /// <summary>
    /// Completes when chunks of a revolving lease have been returned, a reservation was released, or <see cref="Wake"/> was called. Only one caller can wait at a
    /// time.
    /// </summary>
    public ValueTask WhenChangedAsync(CancellationToken cancellationToken) => _cameBack.WaitAsync(cancellationToken);

    /// <summary>Wakes the caller of <see cref="WhenChangedAsync"/>.</summary>
    public void Wake() => _cameBack.Set();

    /// <summary>Returns the unused credit. Chunks that are still rented return theirs later.</summary>
    public void Dispose()
    {
        int unused;
        MemoryShare? share;
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            (unused, share) = (_available, _share);
            _available = 0;
        }

        if (unused > 0)
        {
            Release(unused, share, wasConsumed: false);
        }
    }

    internal void TakeBack(Chunk chunk, byte[] array)
    {
        _pool.Return(chunk, array);
        bool kept;
        MemoryShare? share;
        lock (_gate)
        {
            _out--;
            share = _share;
            kept = IsRevolving && !_disposed;
            if (kept)
            {
                _available++;
            }
        }

        if (kept)
        {
            _cameBack.Set();
        }
        else
        {
            Release(1, share, wasConsumed: true);
        }
    }

    private int Missing => _target - _available - _out;

    private long Bytes(int chunks) => (long)chunks * _pool.ChunkSize;

    private void Release(int chunks, MemoryShare? share, bool wasConsumed)
    {
        if (share is null)
        {
            _pool.Budget.Release(_use, Bytes(chunks));
        }
        else
        {
            _pool.Budget.ReleaseAhead(share, Bytes(chunks), wasConsumed);
        }
    }

    /// <summary>
    /// Doubles the lease if the budget has unused memory. Afterward, memory for a whole part must be left for unfinished parts, so that one of them can always be
    /// completed even if many have grown a little.
    /// </summary>
    private bool TryGrowStep()
    {
        int step = Math.Min(Missing, Math.Max(2, _out));
        if (step <= 0 || !_pool.Budget.TryReserve(MemoryUse.Unfinished, Bytes(step), leaveBytes: Bytes(_target)))
        {
            return false;
        }

        Add(step);
        return true;
    }

    private async ValueTask<Chunk> WaitForChunkAsync(CancellationToken cancellationToken)
    {
        Debug.Assert(IsRevolving || Missing > 0, "a plain lease was overdrawn");
        Chunk? rented;
        while (!TryRent(out rented))
        {
            if (IsRevolving)
            {
                await _cameBack.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            else
            {
                await GrowAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        return rented;
    }

    private async ValueTask GrowAsync(CancellationToken cancellationToken)
    {
        // All missing chunks are reserved at once, so that a part whose request was granted can be completed.
        int missing = Missing;
        await _pool.Budget.ReserveAsync(MemoryUse.Unfinished, Bytes(missing), cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            if (!_disposed)
            {
                Add(missing);
                return;
            }
        }

        _pool.Budget.Release(MemoryUse.Unfinished, Bytes(missing));
    }

    private void Add(int chunks)
    {
        if (_use == MemoryUse.Floor)
        {
            _pool.Budget.Convert(MemoryUse.Floor, MemoryUse.Unfinished, Bytes(_out + _available));
            _use = MemoryUse.Unfinished;
        }

        _available += chunks;
    }
}
