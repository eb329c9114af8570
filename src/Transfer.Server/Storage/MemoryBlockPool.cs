using System.Collections.Concurrent;
using System.Diagnostics;

namespace Transfer.Server.Storage;

/// <summary>Blocks of memory blobs, kept for the next upload: a fresh block costs the kernel a zeroed page for each of its 4 KiB.</summary>
internal sealed class MemoryBlockPool
{
    /// <summary>1 MiB: few objects on the heap for many GiB, and a block is never moved.</summary>
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

    /// <summary>Takes the whole blocks of an array back, once. Others were made to measure and are the collector's.</summary>
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

    /// <summary>Whoever reads a block after it was returned shall not read what was in it.</summary>
    [Conditional("DEBUG")]
    private static void FillWithPoison(byte[] block) => block.AsSpan().Fill(Poison);
}
