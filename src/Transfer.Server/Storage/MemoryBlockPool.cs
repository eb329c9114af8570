using System.Collections.Concurrent;
using System.Diagnostics;

namespace Transfer.S3.Server.Storage;

/// <summary>Keeps the blocks of memory blobs for reuse. For a new block, the kernel must zero each page of 4 KiB.</summary>
internal sealed class MemoryBlockPool
{
    /// <summary>1 MiB: few objects on the heap even for many GiB, and so large that the garbage collector normally moves no block.</summary>
    public const int BlockBytes = 1 << 20;

    private const int MaximumKept = 256;
    private const byte Poison = 0xDD;
    private readonly ConcurrentStack<byte[]> _free = new();
    private int _kept;

    public byte[] Rent()
    {
        if (_free.TryPop(out byte[]? block))
        {
            Interlocked.Decrement(ref _kept);
            return block;
        }

        return GC.AllocateUninitializedArray<byte>(BlockBytes);
    }

    /// <summary>Returns the full-size blocks of an array to the pool, once. Smaller blocks are left to the garbage collector.</summary>
    public void Return(IReadOnlyList<byte[]> blocks)
    {
        foreach (byte[] block in blocks)
        {
            if (block.Length != BlockBytes)
            {
                continue;
            }

            FillWithPoison(block);
            if (Interlocked.Increment(ref _kept) > MaximumKept)
            {
                Interlocked.Decrement(ref _kept);
                continue;
            }

            _free.Push(block);
        }
    }

    /// <summary>Overwrites a returned block in debug builds, so that a later read doesn't find the old content.</summary>
    [Conditional("DEBUG")]
    private static void FillWithPoison(byte[] block) => block.AsSpan().Fill(Poison);
}
