using System.Diagnostics;

namespace Transfer.Buffers;

/// <summary>
/// A number of chunks that the budget has already paid for. Renting from a lease never asks the budget again, so a body that
/// has begun to arrive is never held up by other transfers.
/// </summary>
/// <remarks>
/// A plain lease is spent once: each chunk that comes back returns its credit to the budget at once. A revolving lease keeps the
/// credit until it is disposed, so that its owner can rent the same few chunks again and again.
/// </remarks>
internal sealed class ChunkLease : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ChunkPool _pool;
    private readonly MemoryUse _use;
    private bool _revolving;
    private readonly AsyncSignal _cameBack = new();
    private int _available;
    private bool _claimed;
    private bool _disposed;

    internal ChunkLease(ChunkPool pool, MemoryUse use, int chunks, bool revolving)
    {
        _pool = pool;
        _use = use;
        _available = chunks;
        _revolving = revolving;
        Chunks = chunks;
    }

    /// <summary>Chunks that were leased to begin with.</summary>
    public int Chunks { get; }

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

    /// <summary>Rents a chunk; waits only where the lease revolves and all of its chunks are out. One caller at a time.</summary>
    public ValueTask<Chunk> RentAsync(CancellationToken cancellationToken)
    {
        return TryRent(out Chunk? chunk) ? new ValueTask<Chunk>(chunk) : WaitAsync();

        async ValueTask<Chunk> WaitAsync()
        {
            Debug.Assert(_revolving, "a plain lease was overdrawn");
            Chunk? rented;
            while (!TryRent(out rented))
            {
                await _cameBack.WaitAsync(cancellationToken).ConfigureAwait(false);
            }

            return rented;
        }
    }

    public bool TryRent([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Chunk? chunk)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_available == 0)
            {
                chunk = null;
                return false;
            }

            _available--;
        }

        chunk = _pool.Rent(this);
        return true;
    }

    /// <summary>Whether it keeps its credit while its chunks come and go.</summary>
    public bool IsRevolving => _revolving;

    /// <summary>Makes a plain lease a revolving one. Before the first chunk is rented.</summary>
    public void Revolve()
    {
        Debug.Assert(IsWhole, "chunks are out already");
        _revolving = true;
    }

    /// <summary>Adds one chunk to a plain lease if the budget has it to spare.</summary>
    public bool TryGrow()
    {
        if (_revolving)
        {
            return false;
        }

        if (!_pool.Budget.TryReserve(_use, _pool.ChunkSize))
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

        _pool.Budget.Release(_use, _pool.ChunkSize);
        return false;
    }

    /// <summary>Completes when every chunk of a revolving lease is home and nobody has claimed it. One caller at a time.</summary>
    public async Task WhenIdleAsync(CancellationToken cancellationToken)
    {
        while (!IsIdle)
        {
            await _cameBack.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

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
            _pool.Budget.Release(_use, (long)unused * _pool.ChunkSize);
        }
    }

    internal void TakeBack(Chunk chunk, byte[] array)
    {
        _pool.Return(chunk, array);
        bool kept = false;
        if (_revolving)
        {
            lock (_gate)
            {
                kept = !_disposed;
                if (kept)
                {
                    _available++;
                }
            }
        }

        if (kept)
        {
            _cameBack.Set();
        }
        else
        {
            _pool.Budget.Release(_use, _pool.ChunkSize);
        }
    }
}
