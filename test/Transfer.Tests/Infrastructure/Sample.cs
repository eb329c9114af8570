using System.Buffers;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Creates content without repetition, so that a misplaced byte is detected.</summary>
internal static class Sample
{
    public static byte[] Bytes(long length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Returns the bytes as a sequence of segments of the given size.</summary>
    public static ReadOnlySequence<byte> Sequence(byte[] bytes, int segmentSize)
    {
        Segment first = new(bytes.AsMemory(0, Math.Min(segmentSize, bytes.Length)), null);
        Segment last = first;
        for (int at = segmentSize; at < bytes.Length; at += segmentSize)
        {
            last = new Segment(bytes.AsMemory(at, Math.Min(segmentSize, bytes.Length - at)), last);
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            RunningIndex = previous is null ? 0 : previous.RunningIndex + previous.Memory.Length;
            previous?.Next = this;
        }
    }
}
