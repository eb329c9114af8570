using System.Buffers;
#if DEBUG
using System.Collections.Concurrent;
using System.Diagnostics;
#endif

namespace Transfer.Buffers;

/// <summary>
/// Where every buffer of a client comes from: chunks of one size, in arrays of its own or of an <see cref="ArrayPool{T}"/>, paid for by a
/// <see cref="MemoryBudget"/>. It can be asked at any time what is out.
/// </summary>
internal sealed class ChunkPool
{
    /// <summary>Wrappers kept for reuse: enough for 256 MiB of chunks, 64 bytes each. None in Debug, so that a second return shows.</summary>
#if DEBUG
    private const int MaxSpareWrappers = 0;
#else
    private const int MaxSpareWrappers = 4096;
#endif

    private readonly ArrayPool<byte>? _arrays;
    private readonly Lock _gate = new();

    // The last one returned is the first rented again: the processor may still have it in its cache. Never more than the budget was ever out.
    private readonly Stack<byte[]> _spareArrays = new();
#if DEBUG
    private readonly ConcurrentDictionary<Chunk, StackTrace> _renters = new();
#endif
    private Chunk? _spare;
    private int _spareCount;
    private long _rentedBytes;
    private long _peakRentedBytes;

    /// <param name="chunkSize">Bytes in a chunk.</param>
    /// <param name="budget">Pays for them.</param>
    /// <param name="arrays">
    /// Where arrays are rented; null keeps them here. The process's shared pool would keep a few dozen of a size and drop the rest, which a transfer's hundreds all are.
    /// </param>
    public ChunkPool(int chunkSize, MemoryBudget budget, ArrayPool<byte>? arrays = null)
    {
        ChunkSize = chunkSize;
        Budget = budget;
        _arrays = arrays;
    }

    /// <summary>Bytes in a chunk.</summary>
    public int ChunkSize { get; }

    public MemoryBudget Budget { get; }

    /// <summary>Bytes of chunks that are out now.</summary>
    public long RentedBytes => Interlocked.Read(ref _rentedBytes);

    /// <summary>The most bytes that were ever out at once.</summary>
    public long PeakRentedBytes => Interlocked.Read(ref _peakRentedBytes);

    /// <summary>Chunks needed for <paramref name="bytes"/>, at least one.</summary>
    public int ChunksFor(long bytes) => checked((int)Math.Max(1, (bytes + ChunkSize - 1) / ChunkSize));

    /// <summary>A lease if the budget can pay for it at once.</summary>
    public ChunkLease? TryLease(MemoryUse use, int chunks, bool revolving = false)
        => Budget.TryReserve(use, (long)chunks * ChunkSize) ? new ChunkLease(this, use, chunks, revolving) : null;

    /// <summary>A lease as soon as the budget can pay for it.</summary>
    public async ValueTask<ChunkLease> LeaseAsync(MemoryUse use, int chunks, bool revolving, CancellationToken cancellationToken)
    {
        await Budget.ReserveAsync(use, (long)chunks * ChunkSize, cancellationToken).ConfigureAwait(false);
        return new ChunkLease(this, use, chunks, revolving);
    }

    /// <summary>Memory for an open stream's read-ahead, if there is any and no stream needs it more: one chunk at least, and at most so many.</summary>
    public ChunkLease? TryLeaseAhead(MemoryShare share, int mostChunks)
        => Budget.TryReserveAhead(share, (long)mostChunks * ChunkSize) is > 0 and long bytes ? LeaseOf(share, bytes) : null;

    /// <summary>Puts an open stream's request for read-ahead in line: for one chunk at least, and at most so many.</summary>
    public MemoryWaiter RequestAhead(MemoryShare share, int mostChunks) => Budget.RequestAhead(share, (long)mostChunks * ChunkSize);

    /// <summary>What a stream's request was granted; null if it is still in line.</summary>
    public ChunkLease? TakeGranted(MemoryWaiter request) => Budget.TakeGranted(request) is > 0 and long bytes ? LeaseOf(request.Share!, bytes) : null;

    /// <summary>A lease for a part of up to so many bytes that a caller fills. It has nothing yet, and takes memory as the part grows.</summary>
    public ChunkLease LeaseForUnfinished(long bytes)
    {
        ChunkLease lease = new(this, MemoryUse.Unfinished, 0, revolving: false);
        lease.GrowTo(ChunksFor(bytes));
        return lease;
    }

    /// <summary>What is out, and in Debug builds where it was rented: the text of a failed leak check.</summary>
    public string DescribeRented()
    {
        string summary = $"{RentedBytes / ChunkSize} chunks of {ChunkSize} bytes are rented, {Budget.ReservedBytes} bytes reserved";
#if DEBUG
        return string.Join(Environment.NewLine, _renters.Values.Take(3).Select(s => s.ToString()).Prepend(summary));
#else
        return summary;
#endif
    }

    private ChunkLease LeaseOf(MemoryShare share, long bytes) => new(this, MemoryUse.ReadAhead, (int)(bytes / ChunkSize), revolving: false, share);

    internal Chunk Rent(ChunkLease lease, MemoryUse use)
    {
        byte[]? array;
        Chunk? chunk;
        lock (_gate)
        {
            Budget.NoteRent(use);
            _spareArrays.TryPop(out array);
            chunk = _spare;
            if (chunk is not null)
            {
                _spare = chunk.NextInQueue;
                _spareCount--;
            }
        }

        array ??= _arrays?.Rent(ChunkSize) ?? GC.AllocateUninitializedArray<byte>(ChunkSize);
        chunk ??= new Chunk();
        chunk.Reset(array, ChunkSize, lease);
        long rented = Interlocked.Add(ref _rentedBytes, ChunkSize);
        long peak = Interlocked.Read(ref _peakRentedBytes);
        while (rented > peak)
        {
            long seen = Interlocked.CompareExchange(ref _peakRentedBytes, rented, peak);
            if (seen == peak)
            {
                break;
            }

            peak = seen;
        }

#if DEBUG
        _renters[chunk] = new StackTrace(fNeedFileInfo: true);
#endif
        return chunk;
    }

    internal void Return(Chunk chunk, byte[] array)
    {
#if DEBUG
        array.AsSpan(0, ChunkSize).Fill(0xDD); // poisoned, so that a use after the return shows
        _renters.TryRemove(chunk, out _);
#endif
        lock (_gate)
        {
            if (_arrays is null)
            {
                _spareArrays.Push(array);
            }

            if (_spareCount < MaxSpareWrappers)
            {
                chunk.NextInQueue = _spare;
                _spare = chunk;
                _spareCount++;
            }
        }

        Interlocked.Add(ref _rentedBytes, -ChunkSize);
        _arrays?.Return(array);
    }
}
