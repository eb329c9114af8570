using System.Buffers;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The content of every object: a repeated random block whose length divides neither parts nor chunks.</summary>
internal static class TestData
{
    private const int BlockBytes = (1024 * 1024) - 3;

    private static readonly Lazy<byte[]> Block = new(static () => NewBlock(BlockBytes));

    public static ReadOnlySequence<byte> Create(long bytes) => Repeat(NewBlock((int)Math.Min(BlockBytes, bytes)), bytes);

    /// <summary>Throws an exception if data that was read isn't that of the content.</summary>
    /// <param name="data">The data.</param>
    /// <param name="offset">The offset of the data in the content.</param>
    public static void Check(ReadOnlySpan<byte> data, long offset)
    {
        for (int checkedBytes = 0; checkedBytes < data.Length;)
        {
            ReadOnlySpan<byte> expected = Block.Value.AsSpan((int)((offset + checkedBytes) % BlockBytes));
            int count = Math.Min(expected.Length, data.Length - checkedBytes);
            if (!data.Slice(checkedBytes, count).SequenceEqual(expected[..count]))
            {
                throw new InvalidDataException($"The {data.Length} bytes at offset {offset} are wrong.");
            }

            checkedBytes += count;
        }
    }

    /// <summary>Returns the content that a discarding server returns.</summary>
    public static ReadOnlySequence<byte> Zeros(long bytes) => Repeat(new byte[Math.Min(BlockBytes, bytes)], bytes);

    private static byte[] NewBlock(int bytes)
    {
        byte[] block = new byte[bytes];
        new Random(1).NextBytes(block);
        return block;
    }

    private static ReadOnlySequence<byte> Repeat(byte[] block, long bytes)
    {
        Segment first = new(block, null);
        Segment last = first;
        while (last.RunningIndex + block.Length < bytes)
        {
            last = new Segment(block, last);
        }

        return new ReadOnlySequence<byte>(first, 0, last, (int)(bytes - last.RunningIndex));
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] block, Segment? previous)
        {
            Memory = block;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }
}
