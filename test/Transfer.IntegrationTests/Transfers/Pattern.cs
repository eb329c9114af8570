using System.Buffers.Binary;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Generates bytes that depend on their position, so that content of any size can be created and checked without storing it.</summary>
internal static class Pattern
{
    public static void Fill(Span<byte> buffer, long position)
    {
        Span<byte> word = stackalloc byte[8];
        int done = 0;
        while (done < buffer.Length)
        {
            long at = position + done;
            int skip = (int)(at & 7);
            if (skip == 0 && buffer.Length - done >= 8)
            {
                BinaryPrimitives.WriteUInt64LittleEndian(buffer[done..], Word(at >> 3));
                done += 8;
                continue;
            }

            BinaryPrimitives.WriteUInt64LittleEndian(word, Word(at >> 3));
            int count = Math.Min(8 - skip, buffer.Length - done);
            word.Slice(skip, count).CopyTo(buffer[done..]);
            done += count;
        }
    }

    public static byte[] Bytes(long length)
    {
        byte[] bytes = new byte[length];
        Fill(bytes, 0);
        return bytes;
    }

    // Every word differs from its neighbors in most bits (the finalizer of SplitMix64).
    private static ulong Word(long index)
    {
        unchecked
        {
            ulong x = ((ulong)index + 1) * 0x9E3779B97F4A7C15;
            x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
            x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
            return x ^ (x >> 31);
        }
    }
}
