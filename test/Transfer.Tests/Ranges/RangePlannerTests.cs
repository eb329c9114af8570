using Transfer.S3.Ranges;

namespace Transfer.S3.Tests.Ranges;

public sealed class RangePlannerTests
{
    private const int Chunk = 16;
    private const long Most = 160;
    private const long Gap = 10;

    [Fact]
    public void Plan_NoRanges_NoBlocks() => Assert.Empty(Plan());

    [Theory]
    [InlineData(0, true)] // adjacent
    [InlineData(Gap - 1, true)]
    [InlineData(Gap, true)]
    [InlineData(Gap + 1, false)]
    [InlineData(-1, true)] // overlapping
    public void Plan_TwoRanges_MergedUpToTheGap(long gap, bool areMerged)
        => Assert.Equal(areMerged ? [(0, 40 + gap)] : [(0, 20), (20 + gap, 20)], Plan((0, 20), (20 + gap, 20)));

    [Theory]
    [InlineData(59, true)]
    [InlineData(60, true)]
    [InlineData(61, false)]
    public void Plan_TwoRanges_MergedUpToTheLargestRequest(long second, bool areMerged)
        => Assert.Equal(areMerged ? [(0, 100 + second)] : [(0, 100), (100, second)], Plan((0, 100), (100, second)));

    [Theory]
    [InlineData(20, 1)]
    [InlineData(21, 2)] // two requests take less time than one for all bytes
    public void Plan_Neighbors_MergedUpToTheLimitForSeveralRanges(long second, int expected)
    {
        PlacedRange[] ranges = [new(0, 0, 20), new(1, 20, second)];

        Assert.Equal(expected, new RangePlanner(Gap, 40, Most, Chunk).Plan(ranges).Count);
    }

    [Fact]
    public void Plan_VeryManyRanges_BlocksBecomeLarger()
    {
        PlacedRange[] ranges = [.. Enumerable.Range(0, 1000).Select(i => new PlacedRange(i, i * 20, 20))];

        Assert.Equal(250, new RangePlanner(Gap, 20, Most, Chunk).Plan(ranges).Count);
    }

    [Fact]
    public void Plan_UnsortedRanges_BlocksAreSorted() => Assert.Equal([(0, 15), (500, 5)], Plan((500, 5), (10, 5), (0, 5)));

    [Fact]
    public void Plan_DuplicatesAndNestedRanges_OneBlock() => Assert.Equal([(0, 1000)], Plan((0, 1000), (0, 1000), (500, 1), (999, 1), (0, 1)));

    [Fact]
    public void Plan_LargeRange_DoesNotTakeItsNeighbor() => Assert.Equal([(0, 1000), (1001, 5)], Plan((0, 1000), (1001, 5)));

    [Theory]
    [InlineData(500, true)] // half of the second range is in the first one
    [InlineData(501, false)]
    public void Plan_LargeRangesThatOverlap_MergedIfMostWouldBeRequestedTwice(long second, bool areMerged)
        => Assert.Equal(areMerged ? [(0, second + 1000)] : [(0, 1000), (second, 1000)], Plan((0, 1000), (second, 1000)));

    [Fact]
    public void Plan_ChainOfOverlappingRanges_BlocksAreLimited()
    {
        List<(long Offset, long Length)> blocks = Plan([.. Enumerable.Range(0, 1000).Select(i => (i * 10L, 1000L))]);

        Assert.All(blocks, block => Assert.InRange(block.Length, 1000, 2001));
        Assert.Equal(10_990, blocks[^1].Offset + blocks[^1].Length);
    }

    [Fact]
    public void Plan_RangeToTheEndOfAnUnknownObject_DoesNotOverflow()
        => Assert.Equal([(0, 5), (1L << 62, long.MaxValue - (1L << 62))], Plan((1L << 62, long.MaxValue - (1L << 62)), (0, 5), (long.MaxValue - 1, 1)));

    [Theory]
    [InlineData(1, 1)]
    [InlineData(Most, Most)]
    [InlineData(Most + 1, 96)] // two requests of equal size, in whole chunks
    [InlineData(2 * Most, Most)]
    [InlineData((2 * Most) + 1, 112)]
    [InlineData(long.MaxValue, Most)]
    public void RequestBytesOf_Length_EqualRequestsInWholeChunks(long length, long expected) => Assert.Equal(expected, New().GetRequestBytes(length));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Plan_RandomRanges_EachIsInItsBlockAndNoBlockIsTooLarge(int seed)
    {
        Random random = new(seed);
        for (int round = 0; round < 200; round++)
        {
            PlacedRange[] ranges = [.. Enumerable.Range(0, random.Next(1, 40)).Select(i => new PlacedRange(i, random.Next(2000), random.Next(1, random.Next(2, 400))))];

            List<PlannedBlock> blocks = New().Plan(ranges);

            Assert.Equal(ranges.Length, blocks.Sum(block => block.Count));
            int next = 0;
            foreach (PlannedBlock block in blocks)
            {
                Assert.Equal(next, block.First);
                PlacedRange[] own = ranges[next..(next + block.Count)];
                next += block.Count;
                Assert.Equal(own.Min(range => range.Offset), block.Offset);
                Assert.Equal(own.Max(range => range.End), block.Offset + block.Length);
                Assert.InRange(block.Length, 1, Math.Max(Most, (2 * own.Max(range => range.Length)) + 1));
            }
        }
    }

    private static RangePlanner New() => new(Gap, Most, Most, Chunk);

    private static List<(long Offset, long Length)> Plan(params (long Offset, long Length)[] ranges)
        => [.. New().Plan(ranges.Select((range, i) => new PlacedRange(i, range.Offset, range.Length)).ToArray()).Select(block => (block.Offset, block.Length))];
}
