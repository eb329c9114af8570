using System.Runtime.ExceptionServices;
using Transfer.Buffers;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>
/// Owns the parts of one ordered read while they fill up side by side, and serves their chunks in the object's order.
/// </summary>
/// <remarks>
/// A part is a <see cref="ChunkedBufferStream"/>: its fetch writes it, the reader takes its chunks as they come. Two limits bound
/// what is ahead of the reader: a window of parts, and the memory budget. Where the budget is used up, the stream goes on with the
/// floor that it owns, in ranges of that size. A range is never asked for before it has memory, so no connection ever
/// waits for the reader.
/// The lock guards the queue of parts. One reader; one caller that admits and begins.
/// </remarks>
internal sealed class PartBufferManager : IPartSink, IDisposable
{
    private readonly Lock _gate = new();
    private readonly Queue<Part> _parts = new();
    private readonly AsyncSignal _readable = new();
    private readonly ChunkPool _pool;
    private readonly ChunkLease _floor;
    private readonly PartWindow _window;
    private ChunkLease? _granted;
    private Part? _current;
    private long _length = -1;
    private long _taken;
    private Exception? _error;
    private bool _disposed;

    private PartBufferManager(ChunkPool pool, ChunkLease floor, PartWindow window)
    {
        _pool = pool;
        _floor = floor;
        _window = window;
    }

    /// <summary>Makes a manager once there is memory for its floor.</summary>
    /// <exception cref="InvalidOperationException">The open streams' floors fill the budget.</exception>
    public static async ValueTask<PartBufferManager> CreateAsync(ChunkPool pool, PartWindow window, CancellationToken cancellationToken)
    {
        ChunkLease floor = await pool.LeaseAsync(MemoryUse.Floor, TransferDefaults.FloorChunks, revolving: true, cancellationToken).ConfigureAwait(false);
        return new PartBufferManager(pool, floor, window);
    }

    /// <summary>
    /// Bytes that a reader may leave unconsumed: beyond that there may be no memory to bring it more. A store that ignores ranges sends all of
    /// the object into the chunks of one part.
    /// </summary>
    public long MostUnconsumedBytes => Volatile.Read(ref _granted) is { IsRevolving: true } whole
        ? (long)whole.Chunks * _pool.ChunkSize
        : _pool.Budget.LimitOf(MemoryUse.ReadAhead) / 2;

    public async ValueTask<PartGrant> AdmitAsync(long wantBytes, CancellationToken cancellationToken)
    {
        await _window.EnterAsync(cancellationToken).ConfigureAwait(false);

        // A quarter of what can be read ahead at the most, so that some ranges are under way whatever the part size. One chunk more than
        // the bytes need: so that a chunk can be handed over before it is full when the reader waits.
        long most = Math.Max(_pool.ChunkSize, _pool.Budget.LimitOf(MemoryUse.ReadAhead) / 4);
        int chunks = _pool.ChunksFor(Math.Min(wantBytes, most));
        if (_pool.TryLease(MemoryUse.ReadAhead, chunks + 1) is { } lease)
        {
            Volatile.Write(ref _granted, lease);
            return new PartGrant(lease, (long)chunks * _pool.ChunkSize, IsFloor: false);
        }

        if (_floor.TryClaim())
        {
            return new PartGrant(_floor, (long)_floor.Chunks * _pool.ChunkSize, IsFloor: true);
        }

        return await WaitForMemoryAsync(chunks, cancellationToken).ConfigureAwait(false);
    }

    public IReadOnlyList<FinishedPart> Open(long length, string? etag)
    {
        Volatile.Write(ref _length, length);
        _readable.Set();
        return [];
    }

    public IPartWriter BeginPart(long offset)
    {
        Part part = new(new ChunkedBufferStream(_readable) { IsWatched = false });
        lock (_gate)
        {
            if (_disposed)
            {
                part.Buffer.Dispose();
            }
            else
            {
                _parts.Enqueue(part);
            }
        }

        _readable.Set();
        return part;
    }

    public void Fail(Exception error)
    {
        lock (_gate)
        {
            _error ??= error;
        }

        _readable.Set();
    }

    /// <summary>Takes the object's next chunk; the caller owns it from then on.</summary>
    /// <param name="chunk">The chunk, or null where there is none now.</param>
    /// <param name="ended">Whether all of the object was taken.</param>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Chunk? chunk, out bool ended)
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
                // The end is proved by count: no part may be missing between what was taken and what was promised.
                ended = _taken == Volatile.Read(ref _length);
                return false;
            }

            // Dispose may take the part away meanwhile; its buffer then says so by being empty.
            ChunkedBufferStream? buffer = Volatile.Read(ref _current)?.Buffer;
            bool partEnded = false;
            if (buffer?.TryTake(out chunk, out partEnded) == true)
            {
                _taken += chunk!.Length;
                return true;
            }

            if (!partEnded)
            {
                return false;
            }

            buffer!.Dispose();
            _current = null;
            _window.Leave();
        }
    }

    /// <summary>Waits until it is worth looking again.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) => _readable.WaitAsync(cancellationToken);

    /// <summary>Wakes whoever waits, so that it looks again.</summary>
    public void Wake() => _readable.Set();

    /// <summary>Returns every chunk that nobody has taken. Parts that still arrive return theirs as they come.</summary>
    public void Dispose()
    {
        Part[] rest;
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

        foreach (Part part in rest)
        {
            part.Buffer.Dispose();
        }

        Interlocked.Exchange(ref _current, null)?.Buffer.Dispose();
        _floor.Dispose();
        _readable.Set();
    }

    private bool TryNextPart()
    {
        lock (_gate)
        {
            if (!_parts.TryDequeue(out _current))
            {
                return false;
            }
        }

        Volatile.Read(ref _current)?.Buffer.IsWatched = true;
        return true;
    }

    private async Task<PartGrant> WaitForMemoryAsync(int chunks, CancellationToken cancellationToken)
    {
        using CancellationTokenSource giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<ChunkLease> lease = _pool.LeaseAsync(MemoryUse.ReadAhead, chunks + 1, revolving: false, giveUp.Token).AsTask();
        Task idle = _floor.WhenIdleAsync(giveUp.Token);
        await Task.WhenAny(lease, idle).ConfigureAwait(false);
        await giveUp.CancelAsync().ConfigureAwait(false);
        try
        {
            ChunkLease granted = await lease.ConfigureAwait(false);
            return new PartGrant(granted, (long)chunks * _pool.ChunkSize, IsFloor: false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && _floor.TryClaim())
        {
            return new PartGrant(_floor, (long)_floor.Chunks * _pool.ChunkSize, IsFloor: true);
        }
        finally
        {
            await idle.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private sealed class Part(ChunkedBufferStream buffer) : IPartWriter
    {
        public ChunkedBufferStream Buffer { get; } = buffer;

        public bool IsStarved => Buffer.IsStarved;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            Buffer.Write(chunk);
            return ValueTask.CompletedTask;
        }

        public void Wake(bool inline) => Buffer.Wake(inline);

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            Buffer.Complete();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error) => Buffer.Complete(error);
    }
}
