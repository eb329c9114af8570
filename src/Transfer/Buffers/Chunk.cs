using System.Buffers;
using System.Diagnostics;

namespace Transfer.S3.Buffers;

/// <summary>
/// A pooled array and the bytes in it. A chunk has exactly one owner, which either passes it on or disposes it. Disposing returns the array to the pool immediately.
/// Only range buffers share chunks, which have as many owners then (<see cref="Share"/>).
/// </summary>
/// <remarks>
/// It is a sequence segment, so that a reader can link chunks without copying or allocating. The links belong to that reader: <see cref="Link"/> is called by the
/// owner, and never while another thread can access the chunk.
/// </remarks>
internal sealed class Chunk : ReadOnlySequenceSegment<byte>, IDisposable
{
    private byte[]? _array;
    private int _sharers;

    /// <summary>Gets the number of bytes that are filled, from the start of the array.</summary>
    public int Length { get; private set; }

    /// <summary>Gets the number of bytes that the chunk can hold.</summary>
    public int Capacity { get; private set; }

    /// <summary>Gets the free memory after the filled bytes.</summary>
    public Memory<byte> Free => Array.AsMemory(Length, Capacity - Length);

    /// <summary>Gets the filled bytes.</summary>
    public ReadOnlyMemory<byte> Filled => Array.AsMemory(0, Length);

    public bool IsFull => Length == Capacity;

    public Chunk? NextChunk => (Chunk?)Next;

    /// <summary>Gets the lease that pays for the chunk and takes it back.</summary>
    internal ChunkLease? Lease { get; private set; }

    /// <summary>Gets or sets the next chunk of the list that the chunk is in: the unused wrappers of the pool, or the queue of a buffer.</summary>
    internal Chunk? NextInQueue { get; set; }

    private byte[] Array => _array ?? throw new ObjectDisposedException(nameof(Chunk), "A chunk was used after it was returned to its pool.");

    /// <summary>Counts <paramref name="count"/> bytes that were written to <see cref="Free"/>.</summary>
    public void Advance(int count)
    {
        Debug.Assert(count >= 0 && count <= Capacity - Length, $"{count} bytes do not fit: {Length} of {Capacity} are taken");
        Length += count;
    }

    /// <summary>Appends as many bytes of <paramref name="source"/> as fit, and returns their number.</summary>
    public int Append(ReadOnlySpan<byte> source)
    {
        Span<byte> free = Free.Span;
        int count = Math.Min(free.Length, source.Length);
        source[..count].CopyTo(free);
        Length += count;
        return count;
    }

    /// <summary>Appends the chunk with its filled bytes to a reader's sequence, after <paramref name="previous"/>.</summary>
    public void Link(Chunk? previous)
    {
        Memory = Filled;
        Next = null;
        RunningIndex = 0;
        if (previous is not null)
        {
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }

    /// <summary>Makes bytes appended after <see cref="Link"/> visible in the reader's sequence.</summary>
    public void Relink() => Memory = Filled;

    /// <summary>
    /// Appends the chunk to sequences that several readers share, after <paramref name="previous"/>. The running index is the offset in the object, so that pieces
    /// that arrive in any order can be linked later, and each reader can begin at another chunk.
    /// </summary>
    public void Place(long offset, Chunk? previous)
    {
        Memory = Filled;
        RunningIndex = offset;
        previous?.Next = this;
    }

    /// <summary>Sets the number of readers that share the chunk. Each of them calls <see cref="Unshare"/> instead of <see cref="Dispose"/>.</summary>
    public void Share(int readers) => Volatile.Write(ref _sharers, readers);

    /// <summary>Ends the use of a shared chunk by one reader. The last one disposes it.</summary>
    public void Unshare()
    {
        if (Interlocked.Decrement(ref _sharers) == 0)
        {
            Dispose();
        }
    }

    public void Dispose()
    {
        // Only the first caller gets the array.
        byte[]? array = Interlocked.Exchange(ref _array, null);
        if (array is not null)
        {
            ChunkLease lease = Lease!;
            Lease = null;
            lease.TakeBack(this, array);
        }
    }

    internal void Reset(byte[] array, int capacity, ChunkLease lease)
    {
        Debug.Assert(_array is null, "a chunk that is in use was rented again");
        _array = array;
        Capacity = capacity;
        Length = 0;
        Lease = lease;
        NextInQueue = null;
        Memory = default;
        Next = null;
        RunningIndex = 0;
    }
}
