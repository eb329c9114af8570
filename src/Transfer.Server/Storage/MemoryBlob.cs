using System.Diagnostics;

namespace Transfer.S3.Server.Storage;

/// <summary>A blob in memory, which is read directly from its blocks.</summary>
internal sealed class MemoryBlob(MemoryBlockPool pool, byte[][] blocks, long length) : IBlob, IBlobReader
{
    private byte[][]? _blocks = blocks; // null after they were returned to the pool
    private int _holders = 1;

    public long Length => length;

    public bool KeepsBytes => true;

    public IBlobReader OpenReader() => this;

    public ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken)
    {
        byte[] block = _blocks![offset / MemoryBlockPool.BlockBytes];
        int start = (int)(offset % MemoryBlockPool.BlockBytes);
        int available = (int)Math.Min(block.Length - start, length - offset);
        return new(block.AsMemory(start, (int)Math.Min(maximum, available)));
    }

    public void AddReference()
    {
        int holders = Interlocked.Increment(ref _holders);
        Debug.Assert(holders > 1, "A reference was added after the blocks were returned.");
    }

    public void Release()
    {
        if (Interlocked.Decrement(ref _holders) == 0 && Interlocked.Exchange(ref _blocks, null) is byte[][] returned)
        {
            pool.Return(returned);
        }
    }

    public void Dispose()
    {
        // A memory reader owns no resources.
    }
}
