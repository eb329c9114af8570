using System.Buffers;

namespace Transfer.Upload;

/// <summary>Bytes in memory.</summary>
internal sealed class MemorySource(ReadOnlySequence<byte> bytes) : IUploadSource
{
    public long? Length => bytes.Length;

    public bool ReadsAnywhere => true;

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

    public ValueTask CheckEndAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
