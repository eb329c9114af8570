using System.Buffers;

namespace Transfer.Server.Storage;

/// <summary>Fills blocks as bytes arrive. A block is made only when its first byte is there, so a promised length costs nothing.</summary>
internal sealed class MemoryBlobWriter(long length) : IBlobWriter
{
    private readonly List<byte[]> _blocks = [];
    private long _written;
    private int _usedOfLast;

    public ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            Append(segment.Span);
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken) => new(new MemoryBlob([.. _blocks], _written));

    public ValueTask DisposeAsync()
    {
        _blocks.Clear();
        return ValueTask.CompletedTask;
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_blocks.Count == 0 || _usedOfLast == _blocks[^1].Length)
            {
                // Every block but the last is whole, which is what MemoryBlob finds its way by.
                long expected = Math.Max(length - _written, bytes.Length);
                _blocks.Add(GC.AllocateUninitializedArray<byte>((int)Math.Min(expected, MemoryBlob.BlockBytes)));
                _usedOfLast = 0;
            }

            byte[] block = _blocks[^1];
            int count = Math.Min(bytes.Length, block.Length - _usedOfLast);
            bytes[..count].CopyTo(block.AsSpan(_usedOfLast));
            bytes = bytes[count..];
            _usedOfLast += count;
            _written += count;
        }
    }
}
