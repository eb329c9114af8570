using System.Buffers;

namespace Transfer.S3.Server.Storage;

/// <summary>Fills blocks as bytes arrive. A block is allocated when its first byte arrives, so a large declared length costs no memory.</summary>
internal sealed class MemoryBlobWriter(MemoryBlockPool pool, long length) : IBlobWriter
{
    private List<byte[]> _blocks = [];
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

    public ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken)
    {
        byte[][] blocks = [.. _blocks];
        _blocks = []; // the blob owns the blocks now
        return new(new MemoryBlob(pool, blocks, _written));
    }

    public ValueTask DisposeAsync()
    {
        pool.Return(_blocks);
        _blocks = [];
        return ValueTask.CompletedTask;
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_blocks.Count == 0 || _usedOfLast == _blocks[^1].Length)
            {
                // MemoryBlob locates bytes by index, so every block except the last must be full.
                long expected = Math.Max(length - _written, bytes.Length);
                _blocks.Add(expected < MemoryBlockPool.BlockBytes ? GC.AllocateUninitializedArray<byte>((int)expected) : pool.Rent());
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
