using System.Buffers;
using Transfer.S3.Buffers;

namespace Transfer.S3;

/// <summary>The bytes of one range that <see cref="ITransferClient.ReadRangesAsync"/> or <see cref="ITransferClient.EnumerateRangesAsync"/> has read.</summary>
/// <remarks>
/// The buffer must be disposed, because its memory counts against <see cref="TransferClientOptions.MemoryBytes"/> until then. Several buffers can share memory, which
/// is released with the last of them. Different buffers can be used by different threads at the same time.
/// </remarks>
/// <example>
/// <code>
/// using System.Buffers;
///
/// using RangeBuffers buffers = await client.ReadRangesAsync("bucket", "records.bin", [ObjectRange.From(0, 64)]);
/// RangeBuffer buffer = buffers[0];
/// byte[] copy = buffer.Data.ToArray();
/// </code>
/// </example>
public sealed class RangeBuffer : IDisposable
{
    private Chunk? _first;
    private Chunk? _last;
    private int _disposed;

    internal RangeBuffer(int index, long offset, long length)
    {
        Index = index;
        Offset = offset;
        Length = length;
    }

    /// <summary>Gets the index of the range in the list that was passed to the method.</summary>
    public int Index { get; }

    /// <summary>Gets the offset of the first byte in the object.</summary>
    public long Offset { get; }

    /// <summary>Gets the number of bytes. It is less than the requested number if the range extended beyond the end of the object.</summary>
    public long Length { get; }

    /// <summary>Gets the bytes, without a copy. They are valid until the buffer is disposed.</summary>
    /// <exception cref="ObjectDisposedException">Thrown when the buffer was disposed.</exception>
    public ReadOnlySequence<byte> Data
    {
        get
        {
            (Chunk? first, Chunk? last) = (_first, _last);
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
            return first is null || last is null
                ? ReadOnlySequence<byte>.Empty
                : new ReadOnlySequence<byte>(first, (int)(Offset - first.RunningIndex), last, (int)(End - last.RunningIndex));
        }
    }

    internal long End => Offset + Length;

    /// <summary>Gets or sets a value that indicates whether the other buffers of the same block are passed to the caller before this one.</summary>
    internal bool IsLastOfBlock { get; set; }

    /// <summary>Releases the memory. The method can be called several times.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        Chunk? last = _last;
        Chunk? chunk = _first;
        _first = null;
        _last = null;
        while (chunk is not null)
        {
            Chunk? next = chunk == last ? null : chunk.NextChunk; // read before the chunk can be rented by others
            chunk.Unshare();
            chunk = next;
        }
    }

    /// <summary>Adds a chunk that contains bytes of the range. Chunks of the middle may be added in any order.</summary>
    internal void Add(Chunk chunk, long offset)
    {
        if (offset <= Offset)
        {
            _first = chunk;
        }

        if (offset + chunk.Length >= End)
        {
            _last = chunk;
        }
    }
}
