using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Transfer.Tests.Infrastructure;

/// <summary>Content of any length that is never kept: each eight bytes are their own number.</summary>
internal sealed class CountingPattern
{
    public long Position { get; private set; }

    /// <summary>Fills bytes that begin at a multiple of eight.</summary>
    public static void Fill(Span<byte> bytes, long at)
    {
        Span<long> words = MemoryMarshal.Cast<byte, long>(bytes);
        long number = at / sizeof(long);
        for (int i = 0; i < words.Length; i++)
        {
            words[i] = number + i;
        }

        for (int i = words.Length * sizeof(long); i < bytes.Length; i++)
        {
            bytes[i] = At(at + i);
        }
    }

    /// <summary>Fails where these are not the bytes that come next.</summary>
    public void Check(ReadOnlySpan<byte> bytes)
    {
        int i = 0;
        while (i < bytes.Length && (Position % sizeof(long) != 0 || bytes.Length - i < sizeof(long)))
        {
            CheckOne(bytes[i++]);
        }

        for (; bytes.Length - i >= sizeof(long); i += sizeof(long), Position += sizeof(long))
        {
            if (BinaryPrimitives.ReadInt64LittleEndian(bytes[i..]) != Position / sizeof(long))
            {
                Assert.Fail($"The bytes at {Position} are not those that belong there.");
            }
        }

        while (i < bytes.Length)
        {
            CheckOne(bytes[i++]);
        }
    }

    private static byte At(long position) => (byte)(position / sizeof(long) >> (int)(position % sizeof(long) * 8));

    private void CheckOne(byte value)
    {
        if (value != At(Position))
        {
            Assert.Fail($"The byte at {Position} is {value} and not {At(Position)}.");
        }

        Position++;
    }
}
