using System.Buffers;

namespace Transfer.Benchmarks.Compare;

/// <summary>The content of every object: a repeated random block whose length divides neither parts nor chunks.</summary>
internal static class TestData
{
    private const int BlockBytes = (1024 * 1024) - 3;

    public static ReadOnlySequence<byte> Of(long bytes)
    {
        byte[] block = new byte[Math.Min(BlockBytes, bytes)];
        new Random(1).NextBytes(block);
        return Repeat(block, bytes);
    }

    /// <summary>Returns the content that a discarding server returns.</summary>
    public static ReadOnlySequence<byte> Zeros(long bytes) => Repeat(new byte[Math.Min(BlockBytes, bytes)], bytes);

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
