using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Ranges;

/// <summary>Decides which ranges are requested together, and into how many requests a large one is divided.</summary>
/// <remarks>
/// <para>
/// A block is a contiguous piece of the object that contains one or more whole ranges. Two neighbors share a block if the bytes between them cost no more time than
/// another request, and if the block costs no more time than two. Larger blocks would take longer than their ranges in parallel. Only if there would be very many
/// requests, blocks become larger, up to the size of one request.
/// </para>
/// <para>
/// Ranges that overlap by more than half of the later one share a block even if it is larger, because most bytes would be requested twice otherwise. Such a block is
/// at most twice as large as its longest range, so that a long chain of overlapping ranges doesn't become one block that must fit into memory.
/// </para>
/// </remarks>
/// <param name="gapBytes">The maximum number of bytes between two ranges of a block.</param>
/// <param name="joinedBytes">The maximum number of bytes in a block of several ranges that don't overlap, unless there are very many blocks.</param>
/// <param name="mostBytes">The maximum number of bytes in a request, in whole chunks.</param>
/// <param name="chunkSize">The number of bytes in a chunk.</param>
internal sealed class RangePlanner(long gapBytes, long joinedBytes, long mostBytes, int chunkSize)
{
    /// <summary>The bounds of the number of bytes that are requested between two ranges, and the number if the link wasn't measured yet.</summary>
    private const long MinGapBytes = 16 * Sizes.KiB;
    private const long MaxGapBytes = Sizes.MiB;
    private const long DefaultGapBytes = 64 * Sizes.KiB;

    /// <summary>The number of requests above which blocks become larger.</summary>
    private const int ManyBlocks = 256;

    /// <summary>Gets the maximum number of bytes in a request.</summary>
    public long MostBytes => mostBytes;

    /// <summary>Creates a planner for the link: reading a gap takes no longer than another request would wait for its first byte.</summary>
    /// <param name="client">The client, which measures the link.</param>
    /// <param name="mostBytes">The maximum number of bytes in a request.</param>
    /// <param name="maxGapBytes">The maximum number of bytes between two ranges, whatever the link is like.</param>
    public static RangePlanner Create(ClientContext client, long mostBytes, long maxGapBytes = long.MaxValue)
    {
        double measured = client.Hedging.LatencyBytes ?? client.Queue.LatencyBytes(RequestDirection.Download);
        long gapBytes = Math.Min(maxGapBytes, measured > 0 ? (long)Math.Clamp(measured, MinGapBytes, MaxGapBytes) : DefaultGapBytes);
        int chunkSize = client.Pool.ChunkSize;
        return new RangePlanner(gapBytes, Math.Max(2 * gapBytes, RequestCost.MinBytes), Math.Max(1, mostBytes / chunkSize) * chunkSize, chunkSize);
    }

    /// <summary>Groups ranges into blocks.</summary>
    /// <param name="ranges">The ranges. The method sorts them by their offsets.</param>
    /// <returns>The blocks, in the order of their offsets.</returns>
    public List<PlannedBlock> Plan(Span<PlacedRange> ranges)
    {
        ranges.Sort(static (one, other) => (one.Offset, one.Index).CompareTo((other.Offset, other.Index)));
        long limit = Math.Min(joinedBytes, mostBytes);
        List<PlannedBlock> blocks = Plan(ranges, limit);
        while (blocks.Count > ManyBlocks && limit < mostBytes)
        {
            limit = Math.Min(2 * limit, mostBytes);
            blocks = Plan(ranges, limit);
        }

        return blocks;
    }

    private List<PlannedBlock> Plan(ReadOnlySpan<PlacedRange> ranges, long limit)
    {
        List<PlannedBlock> blocks = [];
        int first = 0;
        long end = 0;
        long longest = 0;
        for (int i = 0; i < ranges.Length; i++)
        {
            PlacedRange range = ranges[i];
            if (i > first && !Joins(ranges[first].Offset, end, Math.Max(longest, range.Length), range, limit))
            {
                blocks.Add(new PlannedBlock(ranges[first].Offset, end - ranges[first].Offset, first, i - first));
                (first, end, longest) = (i, 0, 0);
            }

            end = Math.Max(end, range.End);
            longest = Math.Max(longest, range.Length);
        }

        if (ranges.Length > 0)
        {
            blocks.Add(new PlannedBlock(ranges[first].Offset, end - ranges[first].Offset, first, ranges.Length - first));
        }

        return blocks;
    }

    /// <summary>Gets the size of the requests for a block, in whole chunks unless one request is sufficient. The last request can be smaller.</summary>
    public long GetRequestBytes(long length)
    {
        if (length <= mostBytes)
        {
            return length;
        }

        long requests = 1 + ((length - 1) / mostBytes);
        long equal = 1 + ((length - 1) / requests);
        return (equal + chunkSize - 1) / chunkSize * chunkSize;
    }

    private bool Joins(long start, long end, long longest, PlacedRange range, long limit)
    {
        if (range.End <= end)
        {
            return true; // the block contains it already
        }

        long length = range.End - start;
        long gap = range.Offset - end;
        if (gap <= gapBytes && length <= (gap < 0 ? mostBytes : limit))
        {
            return true;
        }

        long added = range.End - end;
        return added <= range.Length / 2 && length / 2 <= longest;
    }
}
