using System.Buffers;

namespace Transfer.Upload;

/// <summary>
/// Data in memory. It is sent without a copy, unless it is in small pieces: these are copied together, because each piece takes a write to the connection.
/// </summary>
internal sealed class MemorySource : IRandomAccessSource
{
    /// <summary>The minimum average length of pieces that are sent without a copy.</summary>
    private const long LargePieceBytes = 64 * Sizes.KiB;

    private readonly ReadOnlySequence<byte> _bytes;
    private readonly SourceReader _reader;

    public MemorySource(ReadOnlySequence<byte> bytes)
    {
        _bytes = bytes;
        _reader = new SourceReader(this);
        IsInPlace = bytes.IsSingleSegment || CountPieces(bytes) <= bytes.Length / LargePieceBytes;
    }

    public long? Length => _bytes.Length;

    /// <summary>Gets a value that indicates whether parts need no memory, because the data is sent without a copy.</summary>
    public bool IsInPlace { get; }

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        ReadOnlySequence<byte> rest = _bytes.Slice(offset, count);
        if (IsInPlace)
        {
            body.Use(rest, _reader, offset);
            return;
        }

        while (!rest.IsEmpty)
        {
            Memory<byte> memory = await body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
            int step = (int)Math.Min(memory.Length, rest.Length);
            rest.Slice(0, step).CopyTo(memory.Span);
            body.Advance(memory, step);
            rest = rest.Slice(step);
        }
    }

    public void ReadAt(long offset, Span<byte> buffer) => _bytes.Slice(offset, buffer.Length).CopyTo(buffer);

    public TransferException Changed(long offset, long count) => new(
        $"The memory changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} had to be sent again, but have changed.");

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
