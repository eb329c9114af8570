using System.Buffers;

namespace Transfer.S3.Upload;

/// <summary>
/// Data in memory. It is sent without a copy, unless it is in small pieces: these are copied together a chunk at a time, because each piece takes a write to the connection.
/// </summary>
internal sealed class MemorySource : IRandomAccessSource
{
    /// <summary>The minimum average length of pieces that are sent without a copy.</summary>
    private const long LargePieceBytes = 64 * Sizes.KiB;

    private readonly ReadOnlySequence<byte> _bytes;
    private readonly SourceReader _reader;
    private readonly bool _isInPlace;

    public MemorySource(ReadOnlySequence<byte> bytes)
    {
        _bytes = bytes;
        _reader = new SourceReader(this);
        _isInPlace = bytes.IsSingleSegment || CountPieces(bytes) <= bytes.Length / LargePieceBytes;
    }

    public long? Length => _bytes.Length;

    public PartMemory PartMemory => _isInPlace ? PartMemory.None : PartMemory.Chunks;

    public ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        if (_isInPlace)
        {
            body.Use(_bytes.Slice(offset, count), _reader, offset);
        }
        else
        {
            body.ReadOnce(_reader, offset, cancellationToken);
        }

        return ValueTask.CompletedTask;
    }

    public void ReadAt(long offset, Span<byte> buffer) => _bytes.Slice(offset, buffer.Length).CopyTo(buffer);

    public TransferException Changed(long offset, long count) => new(
        $"The memory changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} are not those anymore that its checksum is of.");

    public ValueTask CheckEndAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    private static long CountPieces(in ReadOnlySequence<byte> bytes)
    {
        long count = 0;
        foreach (ReadOnlyMemory<byte> _ in bytes)
        {
            count++;
        }

        return count;
    }
}
