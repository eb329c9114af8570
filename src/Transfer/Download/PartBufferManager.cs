using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Verification;

namespace Transfer.S3.Download;

/// <summary>
/// Owns the parts of one ordered read, which are filled in parallel, and delivers their chunks in order.
/// </summary>
/// <remarks>
/// <para>
/// Read-ahead has two limits: a window of parts, and the stream's share of the memory budget. If there is no memory, the stream continues with the
/// floor that it owns, in ranges of that size. A range is requested only after it has memory, so no connection waits for the reader.
/// </para>
/// <para>
/// If other streams need memory that this stream's reader doesn't use, the parts farthest from the reader are given back (<see cref="GiveBack"/>).
/// They are the last parts that were begun, so the loop that begins parts returns to the first of them (<see cref="NextOffset"/>).
/// </para>
/// <para>The lock guards the queue of parts. One reader and one caller that admits and begins parts are supported.</para>
/// </remarks>
internal sealed class PartBufferManager : IPartSink, IReadAheadOwner, IDisposable
{
    private readonly Lock _gate = new();
    private readonly LinkedList<BufferedPart> _parts = new();
    private readonly AsyncSignal _readable = new();
    private readonly AsyncSignal _moreToFetch = new();
    private readonly StreamMemory _memory;
    private readonly PartWindow _window;
    private readonly TransferReporter _reporter;
    private readonly PausableRun? _pausable;
    private BufferedPart? _current;
    private long _end;
    private long _length = -1;
    private long _taken;
    private Exception? _error;
    private bool _disposed;
    private long _fetchedAt;

    private PartBufferManager(ChunkPool pool, ChunkLease floor, PartWindow window, TransferReporter reporter)
    {
        _window = window;
        _reporter = reporter;
        _fetchedAt = reporter.Times.Now;
        _memory = new StreamMemory(pool, floor, this, _readable);
        _pausable = reporter.Pause is { } pause ? PausableRun.Begin(pause, _memory.GiveBackAll) : null;
    }

    /// <summary>Creates a manager once there is memory for its floor.</summary>
    /// <param name="pool">The memory.</param>
    /// <param name="window">Limits the parts. The manager owns it.</param>
    /// <param name="reporter">Counts the transfer, including the bytes of complete parts that are given back.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation while waiting for memory.</param>
    /// <param name="isPatient">Whether it waits for the floors of other streams.</param>
    /// <exception cref="MemoryLimitException">The floors of the open streams fill the budget.</exception>
    public static async ValueTask<PartBufferManager> CreateAsync(
        ChunkPool pool, PartWindow window, TransferReporter reporter, CancellationToken cancellationToken, bool isPatient = false)
    {
        try
        {
            long since = reporter.Times.Now;
            ChunkLease floor = await StreamMemory.ReserveFloorAsync(pool, cancellationToken, isPatient).ConfigureAwait(false);
            reporter.Times.Add(TransferTimeKind.Memory, since);
            return new PartBufferManager(pool, floor, window, reporter);
        }
        catch
        {
            window.Dispose();
            throw;
        }
    }

    bool IReadAheadOwner.IsStarved => _readable.HasWaiter;

    bool IReadAheadOwner.IsStuck => _memory.MayBeStuck && !HasData;

    /// <summary>
    /// Gets the number of chunks with which a reader that holds them can't receive more data. A store that ignores ranges sends the whole object into the
    /// chunks of one part, and no chunk is left if the reader holds all of them.
    /// </summary>
    public int MostHeldChunks { get; private set; } = int.MaxValue;

    /// <summary>Gets a value that indicates whether the reader has taken every byte of the object.</summary>
    public bool IsAllTaken => _taken == Volatile.Read(ref _length);

    /// <summary>
    /// Gets a value that indicates whether there is data that the reader has not taken, or that is being fetched. It takes no lock, because the budget asks under its own. While the reader
    /// waits, it doesn't change the current part.
    /// </summary>
    private bool HasData => _parts.Count > 0 || Volatile.Read(ref _current) is { IsEnded: false };

    public async ValueTask<PartReservation> AdmitAsync(long wantBytes, long restBytes, CancellationToken cancellationToken)
    {
        if (_reporter.Pause is { IsPaused: true } pause)
        {
            await pause.WhenRunningAsync(cancellationToken).ConfigureAwait(false); // a part uses memory
        }

        while (!_window.TryEnter())
        {
            TransferTimeKind slot = TransferClock.SlotKind(_window);
            await _reporter.Times.WaitAsync(_window.IsFetchingAll ? slot : HeldByReader(slot), _window.WaitAsync(cancellationToken)).ConfigureAwait(false);
        }

        ValueTask<PartReservation> grant = _memory.AdmitAsync(_window.GetRange(wantBytes, restBytes), cancellationToken);
        if (grant.IsCompleted)
        {
            return await grant.ConfigureAwait(false);
        }

        return await _reporter.Times.WaitAsync(HeldByReader(TransferTimeKind.Memory), grant).ConfigureAwait(false);
    }

    /// <summary>Counts the time since the last part was complete, or since the last call, as time that the transfer waited for its reader.</summary>
    public void CountTail() => _reporter.Times.Add(TransferTimeKind.Reader, Interlocked.Exchange(ref _fetchedAt, _reporter.Times.Now));

    /// <summary>Gets the reason why a part waits: the reader, unless the reader itself waits for data.</summary>
    private TransferTimeKind HeldByReader(TransferTimeKind otherwise) => _readable.HasWaiter ? otherwise : TransferTimeKind.Reader;

    public IReadOnlyList<CompletedPart> Open(long length, string? etag)
    {
        Volatile.Write(ref _length, length);
        _readable.Set();
        return [];
    }

    public long NextOffset(long offset)
    {
        lock (_gate)
        {
            return Math.Min(offset, _end);
        }
    }

    public IPartWriter? BeginPart(long offset, long length, PartReservation grant)
    {
        // The first part of the object is what the reader reads first, so it is never given back.
        BufferedPart part = new(offset, length, new ChunkedBufferStream(_readable) { IsWatched = false }, _memory.LookWhetherStuck) { ReadAhead = grant.IsFloor ? null : grant.Lease };
        bool isLast;
        lock (_gate)
        {
            if (offset != _end)
            {
                _window.Leave();
                return null;
            }

            _end += length;
            isLast = _end == _length;
            MostHeldChunks = length > grant.Bytes ? grant.Lease.Chunks : MostHeldChunks;
            if (_disposed)
            {
                part.Buffer.Dispose();
            }
            else
            {
                _parts.AddLast(part);
            }
        }

        if (isLast)
        {
            _memory.WantsNoMore();
        }

        _readable.Set();
        return part;
    }

    public void PartFetched()
    {
        Volatile.Write(ref _fetchedAt, _reporter.Times.Now);
        _window.Fetched();
    }

    public async ValueTask<bool> WaitForMoreAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            lock (_gate)
            {
                if (_disposed || (_end == _length && _parts.Last?.Value is null or { IsFirst: true }))
                {
                    return false; // the part that is being read is never given back
                }

                if (_end < _length)
                {
                    return true;
                }
            }

            try
            {
                await _moreToFetch.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return false;
            }
        }
    }

    public void GiveBack(long mostBytes)
    {
        List<BufferedPart> given = [];
        lock (_gate)
        {
            while (_memory.HeldBytes > mostBytes && _parts.Last?.Value is { IsFirst: false } last && (_parts.Count > 1 || _current is not null))
            {
                _parts.RemoveLast();
                _end = last.Offset;
                last.ReadAhead?.GiveUp();
                given.Add(last);
            }
        }

        foreach (BufferedPart part in given)
        {
            if (part.GiveBack())
            {
                _reporter.Bytes.Discard(part.Length);
            }

            _window.Leave();
        }

        if (given.Count > 0)
        {
            _moreToFetch.Set();
            _memory.LookWhetherStuck(); // the reader may have begun to wait for what was given back
            _memory.LookAtFloor();
        }
    }

    void IReadAheadOwner.RanOut() => _memory.LookAtFloor();

    public void Fail(Exception error)
    {
        lock (_gate)
        {
            _error ??= error;
        }

        _readable.Set();
    }

    /// <summary>Takes the next chunk of the object. The caller owns it.</summary>
    /// <param name="chunk">The chunk; null if none is available.</param>
    /// <param name="ended">Whether all of the object was taken.</param>
    public bool TryTake([NotNullWhen(true)] out Chunk? chunk, out bool ended)
    {
        chunk = null;
        ended = false;
        while (true)
        {
            if (Volatile.Read(ref _error) is { } error)
            {
                ExceptionDispatchInfo.Throw(error);
            }

            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), typeof(ObjectReadStream));
            if (_current is null && !TryNextPart())
            {
                // The number of bytes proves the end: no part may be missing between what was taken and the expected length.
                ended = IsAllTaken;
                return false;
            }

            // Dispose may take the part away meanwhile. Its buffer is then empty.
            BufferedPart? part = Volatile.Read(ref _current);
            bool partEnded = false;
            if (part?.Buffer.TryTake(out chunk, out partEnded) == true)
            {
                _taken += chunk!.Length;
                return true;
            }

            if (!partEnded)
            {
                return false;
            }

            part!.CountTaken();
            part.Buffer.Dispose();
            _current = null;
            _window.Leave();
        }
    }

    /// <summary>Waits until data may be available.</summary>
    /// <param name="holdsAll">Whether the reader holds data that it doesn't consume before it gets more.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="MemoryLimitException">There is no memory for more data than the reader holds.</exception>
    public ValueTask WaitAsync(bool holdsAll, CancellationToken cancellationToken)
    {
        ValueTask waiting = _readable.WaitAsync(cancellationToken);
        if (waiting.IsCompleted)
        {
            return waiting;
        }

        _memory.NoteStarved();
        return holdsAll ? _memory.WaitHoldingAsync(waiting) : waiting;
    }

    /// <summary>Wakes the reader if it waits, so that it checks again.</summary>
    public void Wake() => _readable.Set();

    /// <summary>Returns every chunk that was not taken. Parts that are still arriving return their chunks as they come.</summary>
    public void Dispose()
    {
        BufferedPart[] rest;
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            rest = [.. _parts];
            _parts.Clear();
        }

        foreach (BufferedPart part in rest)
        {
            part.Buffer.Dispose();
        }

        Interlocked.Exchange(ref _current, null)?.Buffer.Dispose();
        _pausable?.Dispose();
        _memory.Dispose();
        _window.Dispose();
        _readable.Set();
        _moreToFetch.Set();
    }

    private bool TryNextPart()
    {
        lock (_gate)
        {
            if (_parts.First is not { } first)
            {
                return false;
            }

            _parts.RemoveFirst();
            _current = first.Value;
            if (_parts.Count > 0 || _end < _length)
            {
                _current.Buffer.IsWatched = true;
                return true;
            }
        }

        // The last part is being read, so no more parts will be given back.
        Volatile.Read(ref _current)?.Buffer.IsWatched = true;
        _moreToFetch.Set();
        return true;
    }
}
