using System.Buffers;
using System.Diagnostics;

namespace Transfer.Buffers;

/// <summary>
/// One pooled array and the bytes that stand in it. A chunk has exactly one owner: whoever holds it either hands it on
/// or disposes it, which gives the array back at once.
/// </summary>
/// <remarks>
/// It is a sequence segment so that a reader can string chunks together without a copy or an allocation. The links belong to
/// that reader alone: <see cref="Link"/> is called by the owner, never while another thread can see the chunk.
/// </remarks>
internal sealed class Chunk : ReadOnlySequenceSegment<byte>, IDisposable
{
    private byte[]? _array;

    /// <summary>Bytes filled so far, from the start of the array.</summary>
    public int Length { get; private set; }

    /// <summary>Bytes that the chunk can hold.</summary>
    public int Capacity { get; private set; }

    /// <summary>The room behind the bytes filled so far.</summary>
    public Memory<byte> Free => Array.AsMemory(Length, Capacity - Length);

    /// <summary>The bytes filled so far.</summary>
    public ReadOnlyMemory<byte> Filled => Array.AsMemory(0, Length);

    public bool IsFull => Length == Capacity;

    public Chunk? NextChunk => (Chunk?)Next;

    /// <summary>What pays for this chunk and takes it back.</summary>
    internal ChunkLease? Lease { get; private set; }

    /// <summary>The link of a list that the chunk waits in: the pool's spare wrappers, a buffer's queue. Never both.</summary>
    internal Chunk? NextInQueue { get; set; }

    private byte[] Array => _array ?? throw new ObjectDisposedException(nameof(Chunk), "A chunk was used after it went back to its pool.");

    /// <summary>Counts <paramref name="count"/> bytes that were written to <see cref="Free"/>.</summary>
    public void Advance(int count)
    {
        Debug.Assert(count >= 0 && count <= Capacity - Length, $"{count} bytes do not fit: {Length} of {Capacity} are taken");
        Length += count;
    }

    /// <summary>Appends what fits of <paramref name="source"/> and says how much that was.</summary>
    public int Append(ReadOnlySpan<byte> source)
    {
        Span<byte> free = Free.Span;
        int count = Math.Min(free.Length, source.Length);
        source[..count].CopyTo(free);
        Length += count;
        return count;
    }

    /// <summary>Places the chunk in its reader's sequence: the filled bytes are visible, behind <paramref name="previous"/>.</summary>
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

    public void Dispose()
    {
        // One caller wins the array; every later call finds none.
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
        Debug.Assert(_array is null, "a chunk in use was handed out again");
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
