using System.Buffers;

namespace Transfer.Upload;

/// <summary>Bytes in memory.</summary>
internal sealed class MemorySource(ReadOnlySequence<byte> bytes) : IRandomAccessSource
{
    public long? Length => bytes.Length;

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        ReadOnlySequence<byte> rest = bytes.Slice(offset, count);
        while (!rest.IsEmpty)
        {
            Memory<byte> memory = await body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
            int step = (int)Math.Min(memory.Length, rest.Length);
            rest.Slice(0, step).CopyTo(memory.Span);
            body.Advance(memory, step);
            rest = rest.Slice(step);
        }
    }

    public void ReadAt(long offset, Span<byte> buffer) => bytes.Slice(offset, buffer.Length).CopyTo(buffer);

    public TransferException Changed(long offset, long count) => new(
        $"The memory changed while it was being uploaded: the bytes from {offset} to {offset + count - 1} had to be sent again, and are not the same any more.");

    public ValueTask CheckEndAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
