using System.Buffers;
#if DEBUG
using System.Collections.Concurrent;
using System.Diagnostics;
#endif

namespace Transfer.S3.Buffers;

/// <summary>
/// The pool of all buffers of a client. Its chunks have one size, use arrays of the pool itself or of an <see cref="ArrayPool{T}"/>, and are paid for
/// by a <see cref="MemoryBudget"/>.
/// </summary>
internal sealed class ChunkPool
{
    /// <summary>
    /// The number of wrappers that are kept for reuse, 64 bytes each: enough for 256 MiB of chunks. It is 0 in Debug builds to reveal double returns.
    /// </summary>
#if DEBUG
    private const int MaxSpareWrappers = 0;
#else
    private const int MaxSpareWrappers = 4096;
#endif

    private readonly ArrayPool<byte>? _arrays;
    private readonly Lock _gate = new();

    // The array that was returned last is rented first, because it may still be in the processor's cache. The stack never holds more than the budget
    // allowed.
    private readonly Stack<byte[]> _spareArrays = new();
#if DEBUG
    private readonly ConcurrentDictionary<Chunk, StackTrace> _renters = new();
#endif
    private Chunk? _spare;
    private int _spareCount;
    private long _rentedBytes;
    private long _peakRentedBytes;

    /// <param name="chunkSize">The number of bytes in a chunk.</param>
    /// <param name="budget">The budget that pays for chunks.</param>
    /// <param name="arrays">
    /// The pool that arrays are rented from; null to keep them here. The shared pool of the process keeps only a few dozen arrays of a size, but a transfer uses
    /// hundreds.
    /// </param>
    public ChunkPool(int chunkSize, MemoryBudget budget, ArrayPool<byte>? arrays = null)
    {
        ChunkSize = chunkSize;
        Budget = budget;
        _arrays = arrays;
    }

    /// <summary>Gets the number of bytes in a chunk.</summary>
    public int ChunkSize { get; }

    public MemoryBudget Budget { get; }

    /// <summary>Gets the number of bytes in chunks that are currently rented.</summary>
    public long RentedBytes => Interlocked.Read(ref _rentedBytes);

    /// <summary>Gets the largest number of bytes that were rented at the same time.</summary>
    public long PeakRentedBytes => Interlocked.Read(ref _peakRentedBytes);

    /// <summary>Gets the number of chunks that hold <paramref name="bytes"/>, at least one.</summary>
    public int ChunksFor(long bytes) => checked((int)Math.Max(1, (bytes + ChunkSize - 1) / ChunkSize));

    /// <summary>Gets a lease if the budget can pay for it immediately.</summary>
    public ChunkLease? TryLease(MemoryUse use, int chunks, bool revolving = false)
        => Budget.TryReserve(use, (long)chunks * ChunkSize) ? new ChunkLease(this, use, chunks, revolving) : null;

    /// <summary>Gets a lease as soon as the budget can pay for it.</summary>
    public async ValueTask<ChunkLease> LeaseAsync(MemoryUse use, int chunks, bool revolving, CancellationToken cancellationToken, bool isPatient = false)
    {
        await Budget.ReserveAsync(use, (long)chunks * ChunkSize, cancellationToken, isPatient).ConfigureAwait(false);
        return new ChunkLease(this, use, chunks, revolving);
    }

    /// <summary>Requests memory for an open stream to read ahead: at least one chunk and at most <paramref name="mostChunks"/>.</summary>
    public MemoryWaiter RequestAhead(MemoryShare share, int mostChunks) => Budget.RequestAhead(share, (long)mostChunks * ChunkSize);

    /// <summary>Gets the memory that was granted to a stream's request; null if the request is still queued.</summary>
    public ChunkLease? TakeGranted(MemoryShare share)
        => Budget.TakeGranted(share) is > 0 and long bytes ? new ChunkLease(this, MemoryUse.ReadAhead, (int)(bytes / ChunkSize), revolving: false, share) : null;

    /// <summary>Gets a lease for a part of up to <paramref name="bytes"/> that a caller fills. It takes memory while the part grows.</summary>
    public ChunkLease LeaseForUnfinished(long bytes)
    {
        ChunkLease lease = new(this, MemoryUse.Unfinished, 0, revolving: false);
        lease.GrowTo(ChunksFor(bytes));
        return lease;
    }

    /// <summary>Describes the rented chunks for a failed leak check. In Debug builds, this includes where they were rented.</summary>
    public string DescribeRented()
    {
        string summary = $"{RentedBytes / ChunkSize} chunks of {ChunkSize} bytes are rented, {Budget.ReservedBytes} bytes reserved";
#if DEBUG
        return string.Join(Environment.NewLine, _renters.Values.Take(3).Select(s => s.ToString()).Prepend(summary));
#else
        return summary;
#endif
    }

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
        _renters[chunk] = new StackTrace(fNeedFileInfo: false);
#endif
        return chunk;
    }

    internal void Return(Chunk chunk, byte[] array)
    {
#if DEBUG
        array.AsSpan(0, ChunkSize).Fill(0xDD); // overwritten to reveal a use after the return
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
