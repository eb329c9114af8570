using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Transfer.Buffers;

/// <summary>
/// A number of chunks that the budget has already paid for. Renting from a lease never asks the budget again, so a body that
/// has begun to arrive is never held up by other transfers.
/// </summary>
/// <remarks>
/// A plain lease is spent once: each chunk that comes back returns its credit to the budget at once. A revolving lease keeps the
/// credit until it is disposed, so that its owner can rent the same few chunks again and again. A plain one can do so for its last few chunks (<see cref="Keep"/>). A lease that grows (<see cref="GrowTo"/>) is a plain one that
/// takes more credit when a chunk is rented that it doesn't have: for a part that a caller fills, who knows how slowly.
/// </remarks>
internal sealed class ChunkLease : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ChunkPool _pool;
    private readonly MemoryShare? _share;
    private readonly AsyncSignal _cameBack = new();
    private MemoryUse _use;
    private bool _revolving;
    private int _available;
    private int _out;
    private int _target;
    private int _kept;
    private bool _claimed;
    private bool _isGivenBack;
    private bool _disposed;

    internal ChunkLease(ChunkPool pool, MemoryUse use, int chunks, bool revolving, MemoryShare? share = null)
    {
        _pool = pool;
        _share = share;
        _use = use;
        _available = chunks;
        _revolving = revolving;
        Chunks = chunks;
    }

    /// <summary>Chunks that were leased to begin with.</summary>
    public int Chunks { get; }

    /// <summary>Bytes in a chunk.</summary>
    public int ChunkSize => _pool.ChunkSize;

    /// <summary>Whether every chunk of a revolving lease is home and nobody has claimed it.</summary>
    public bool IsIdle
    {
        get
        {
            lock (_gate)
            {
                return IsWhole && !_claimed;
            }
        }
    }

    private bool IsWhole => _available == Chunks;

    /// <summary>Takes an idle lease for one user: it is not idle again before that one has given it up, rented from it yet or not.</summary>
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

    /// <summary>Ends a claim. Chunks that are still out come home later.</summary>
    public void Unclaim()
    {
        lock (_gate)
        {
            _claimed = false;
        }

        _cameBack.Set();
    }

    /// <summary>Rents a chunk. Waits only if the lease revolves and all of its chunks are out, or if it grows and there is no memory. One caller at a time.</summary>
    /// <exception cref="InvalidOperationException">The lease grows, and nothing happens that could free memory.</exception>
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

    /// <summary>Whether it keeps its credit while its chunks come and go.</summary>
    public bool IsRevolving => _revolving;

    /// <summary>Makes a plain lease a revolving one. Before the first chunk is rented.</summary>
    public void Revolve()
    {
        Debug.Assert(IsWhole, "chunks are out already");
        _revolving = true;
    }

    /// <summary>Keeps the credit of the first chunks that come back to a plain lease, so that they can be rented again.</summary>
    /// <param name="chunks">The most chunks to keep.</param>
    public void Keep(int chunks) => _kept = chunks;

    /// <summary>Lets a plain lease take more credit as it is needed, up to so many chunks in all. What it has is for an unfinished part as soon as it has grown.</summary>
    public void GrowTo(int chunks) => _target = chunks;

    /// <summary>The chunks hold all that they are for, and drain without a caller from now on. A lease that grows does so no more.</summary>
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

    /// <summary>The data in its chunks is given up: what comes back from now on was not consumed.</summary>
    /// <returns>Bytes that will come back.</returns>
    public long GiveBack()
    {
        lock (_gate)
        {
            _isGivenBack = true;
            return Bytes(_available + _out);
        }
    }

    /// <summary>Adds one chunk to a plain lease if the budget has it to spare.</summary>
    public bool TryGrow()
    {
        if (_revolving)
        {
            return false;
        }

        if (_share is null ? !_pool.Budget.TryReserve(_use, _pool.ChunkSize) : _pool.Budget.TryReserveAhead(_share, _pool.ChunkSize) == 0)
        {
            return false;
        }

        lock (_gate)
        {
            if (!_disposed)
            {
                _available++;
                return true;
            }
        }

        Release(1, wasConsumed: false);
        return false;
    }

    /// <summary>Completes when chunks of a revolving lease have come home, a claim has ended, or <see cref="Wake"/> was called. One caller at a time.</summary>
    public ValueTask WhenChangedAsync(CancellationToken cancellationToken) => _cameBack.WaitAsync(cancellationToken);

    /// <summary>Makes whoever waits look again.</summary>
    public void Wake() => _cameBack.Set();

    /// <summary>Gives the unused credit back. Chunks still out pay theirs back as they return.</summary>
    public void Dispose()
    {
        int unused;
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            unused = _available;
            _available = 0;
        }

        if (unused > 0)
        {
            Release(unused, wasConsumed: false);
        }
    }

    internal void TakeBack(Chunk chunk, byte[] array)
    {
        _pool.Return(chunk, array);
        bool kept;
        bool wasConsumed;
        lock (_gate)
        {
            _out--;
            wasConsumed = !_isGivenBack;
            kept = (_revolving || _available < _kept) && !_disposed;
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
            Release(1, wasConsumed);
        }
    }

    private int Missing => _target - _available - _out;

    private long Bytes(int chunks) => (long)chunks * _pool.ChunkSize;

    private void Release(int chunks, bool wasConsumed)
    {
        if (_share is null)
        {
            _pool.Budget.Release(_use, Bytes(chunks));
        }
        else
        {
            _pool.Budget.ReleaseAhead(_share, Bytes(chunks), wasConsumed);
        }
    }

    /// <summary>
    /// Takes as much again as there is already, if the budget has it to spare. A whole part must be left for unfinished parts after that: so one of them can always be
    /// finished, however many have grown a little.
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
        Debug.Assert(_revolving || Missing > 0, "a plain lease was overdrawn");
        Chunk? rented;
        while (!TryRent(out rented))
        {
            if (_revolving)
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
        // All that is missing at once: what has been granted then can be finished.
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
