using System.Buffers;
using System.Collections.Concurrent;

namespace Transfer.S3.Server.Hosting;

/// <summary>Provides Kestrel's pipes with blocks of 64 KiB. Kestrel's own pool has blocks of 4 KiB, and one receive fills one block at most.</summary>
/// <remarks>
/// Blocks stay pinned, as sockets require, and a limited number is kept for reuse. A connection without traffic holds no block.
/// </remarks>
internal sealed class BlockPool : MemoryPool<byte>
{
    private const int BlockBytes = 64 << 10;
    private const int MaximumKept = 512;
    private readonly ConcurrentStack<Block> _free = new();
    private int _kept;

    public override int MaxBufferSize => BlockBytes;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockBytes);
        if (_free.TryPop(out Block? block))
        {
            Interlocked.Decrement(ref _kept);
            block.Take();
            return block;
        }

        return new Block(this);
    }

    protected override void Dispose(bool disposing) => _free.Clear();

    private void Return(Block block)
    {
        if (Interlocked.Increment(ref _kept) <= MaximumKept)
        {
            _free.Push(block);
        }
        else
        {
            Interlocked.Decrement(ref _kept); // the garbage collector frees the block
        }
    }

    private sealed class Block(BlockPool pool) : IMemoryOwner<byte>
    {
        private readonly byte[] _array = GC.AllocateUninitializedArray<byte>(BlockBytes, pinned: true);
        private int _isOut = 1;

        public Memory<byte> Memory => _array;

        public void Take() => _isOut = 1;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isOut, 0) == 1)
            {
                pool.Return(this);
            }
        }
    }
}
