using System.Buffers;
using System.Collections.Concurrent;

namespace Transfer.Server.Hosting;

/// <summary>Memory for Kestrel's pipes in blocks of 64 KiB. Its own pool has 4 KiB, and one receive fills at most a block.</summary>
/// <remarks>
/// Blocks are pinned for their life, as sockets want them, and kept for reuse up to a limit; a connection without traffic holds none.
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
            Interlocked.Decrement(ref _kept); // the collector has it
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
