namespace Transfer.Server.Storage;

/// <summary>A blob in memory, served straight from its blocks.</summary>
internal sealed class MemoryBlob(byte[][] blocks, long length) : IBlob, IBlobReader
{
    /// <summary>1 MiB: few objects on the heap for many GiB, and a block is never moved.</summary>
    public const int BlockBytes = 1 << 20;

    public long Length => length;

    public bool KeepsBytes => true;

    public IBlobReader OpenReader() => this;

    public ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken)
    {
        byte[] block = blocks[offset / BlockBytes];
        int start = (int)(offset % BlockBytes);
        int available = (int)Math.Min(block.Length - start, length - offset);
        return new(block.AsMemory(start, (int)Math.Min(maximum, available)));
    }

    public void AddReference()
    {
        // The collector counts.
    }

    public void Release()
    {
        // The collector counts.
    }

    public void Dispose()
    {
        // A reader of memory holds nothing of its own.
    }
}
