using System.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

/// <summary>The base of the tests that read ranges.</summary>
public abstract class RangeTest : TransferTest
{
    protected const int Chunk = 4 * 1024;

    /// <summary>More bytes than are read between two ranges while the link isn't measured.</summary>
    protected const int Far = 200_000;

    /// <summary>Returns what a range of an object contains.</summary>
    internal static byte[] Slice(byte[] content, ObjectRange range)
    {
        (long offset, long length) = range.Resolve(content.Length);
        return content[(int)offset..(int)(offset + length)];
    }

    internal static void AssertSame(byte[] content, IReadOnlyList<ObjectRange> ranges, RangeBuffer buffer)
    {
        (long offset, long length) = ranges[buffer.Index].Resolve(content.Length);
        Assert.EachEqual((offset, length), (buffer.Offset, buffer.Length));
        Assert.Equal(length, buffer.Data.Length);
        Assert.True(content.AsSpan((int)offset, (int)length).SequenceEqual(buffer.Data.ToArray()), $"{ranges[buffer.Index]} has other bytes");
    }

    internal static void AssertSame(byte[] content, IReadOnlyList<ObjectRange> ranges, RangeBuffers buffers)
    {
        Assert.Equal(ranges.Count, buffers.Count);
        for (int i = 0; i < buffers.Count; i++)
        {
            Assert.Equal(i, buffers[i].Index);
            AssertSame(content, ranges, buffers[i]);
        }
    }

    internal static Task<RangeBuffers> ReadAsync(TransferClient client, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
        => client.ReadRangesAsync(FakeS3.Bucket, FakeS3.Key, ranges, options, cancellationToken);

    internal static IAsyncEnumerable<RangeBuffer> EnumerateAsync(
        TransferClient client, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
        => client.EnumerateRangesAsync(FakeS3.Bucket, FakeS3.Key, ranges, options, cancellationToken);

    /// <summary>Reads the ranges in one of both ways, and compares each one.</summary>
    internal static async Task ReadAndCompareAsync(
        TransferClient client, byte[] content, IReadOnlyList<ObjectRange> ranges, bool enumerates, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
    {
        if (!enumerates)
        {
            using RangeBuffers buffers = await ReadAsync(client, ranges, options, cancellationToken).Within();
            AssertSame(content, ranges, buffers);
            return;
        }

        HashSet<int> seen = [];
        await foreach (RangeBuffer buffer in EnumerateAsync(client, ranges, options, cancellationToken))
        {
            using (buffer)
            {
                AssertSame(content, ranges, buffer);
                Assert.True(seen.Add(buffer.Index));
            }
        }

        Assert.Equal(ranges.Count, seen.Count);
    }
}
