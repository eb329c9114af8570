using System.Buffers;
using System.Security.Cryptography;

namespace Transfer.S3.Testing;

/// <summary>Creates content without repetition, so that a misplaced byte is detected.</summary>
public static class Sample
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

#pragma warning disable CA5351 // the ETags of S3 are MD5s
    /// <summary>Returns the ETag of a single-part object, with its quotes.</summary>
    public static string ETag(byte[] data) => $"\"{Convert.ToHexStringLower(MD5.HashData(data))}\"";

    /// <summary>Returns the ETag of a multipart object, with its quotes.</summary>
    public static string ETag(params IReadOnlyCollection<byte[]> parts) =>
        $"\"{Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(MD5.HashData)]))}-{parts.Count}\"";
#pragma warning restore CA5351

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
