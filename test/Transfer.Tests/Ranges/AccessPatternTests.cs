using Transfer.S3.Ranges;

namespace Transfer.S3.Tests.Ranges;

/// <summary>Simulates readers: what a plan covers is there for the next read.</summary>
public sealed class AccessPatternTests
{
    private const int KiB = 1024;
    private const int MiB = 1024 * 1024;
    private const long Free = MiB;
    private const long Object = 1024L * MiB;
    private readonly AccessPattern _pattern = new();
    private readonly List<(long From, long End)> _there = [];
    private long _read;
    private int _requests;

    private long Fetched => _there.Sum(range => range.End - range.From);

    [Fact]
    public void Next_FirstRead_FetchesWhatIsFree() => Assert.Equal(new ReadPlan(100, 100 + Free, IsJump: true), _pattern.Next(100, 10, isThere: false, Free));

    [Fact]
    public void Next_LargeFirstRead_FetchesNoMore() => Assert.Equal(new ReadPlan(0, 5 * Free, IsJump: true), _pattern.Next(0, 5 * Free, isThere: false, Free));

    [Theory]
    [InlineData(4 * KiB)]
    [InlineData(80 * KiB)]
    [InlineData(MiB)]
    public void Next_Sequential_ReadsAheadAtMostAsFarAsWasRead(int count)
    {
        long most = 0;
        for (long at = 0; at < 7 * MiB; at += count)
        {
            ReadPlan plan = Read(at, count);
            Assert.False(plan.IsJump && at > 0);
            most = Math.Max(most, plan.End);
            Assert.InRange(plan.End, at + count, Math.Max(Free, 2 * (at + count)));
        }

        Assert.InRange(most, 13 * MiB, 15 * MiB);
        Assert.True(Read(_read, 2 * MiB).End > Object); // the reader probably reads to the end
    }

    [Fact]
    public void Next_RandomSmallReads_FetchLittleMore()
    {
        Random random = new(7);
        for (int i = 0; i < 1000; i++)
        {
            Read(random.NextInt64(Object / KiB) * KiB, 4 * KiB);
        }

        Assert.InRange(Fetched, 1000 * 4 * KiB, (1000 * 4 * KiB) + (3 * Free));
    }

    [Fact]
    public void Next_RandomReadsThatContinueForAWhile_FetchAsMuchAtOnce()
    {
        Random random = new(7);
        for (int i = 0; i < 20; i++)
        {
            Read(random.NextInt64(Object / KiB) * KiB, 4 * KiB);
        }

        for (int i = 0; i < 20; i++)
        {
            long at = random.NextInt64(Object / MiB) * MiB;
            for (int step = 0; step < 25; step++)
            {
                Read(at + (step * 40 * KiB), 40 * KiB);
            }
        }

        _requests = 0;
        Read(Object / 2, 40 * KiB);
        Assert.Equal(25 * 40 * KiB, _there[^1].End - _there[^1].From);
    }

    [Fact]
    public void Next_Backward_FetchesBeforeTheRead()
    {
        const int Count = 64 * KiB;
        for (long at = 64 * MiB; at > 32 * MiB; at -= Count)
        {
            Read(at - Count, Count);
        }

        Assert.InRange(_requests, 1, 40);
        Assert.InRange(Fetched, 32 * MiB, 32 * MiB + AccessPattern.RunBytes + (2 * Free));
    }

    [Theory]
    [InlineData(10 * MiB)]
    [InlineData(-10 * MiB)]
    public void Next_EqualStrides_FetchesTheNextRanges(long stride)
    {
        long at = stride > 0 ? 0 : Object - MiB;
        ReadPlan plan = default;
        for (int i = 0; i < 8; i++)
        {
            plan = _pattern.Next(at, 100 * KiB, isThere: i > 3, Free);
            at += stride;
        }

        Assert.EachEqual((stride, 100L * KiB), (plan.Stride, plan.End - plan.From));
        Assert.InRange(plan.Ranges, 4, 8);
    }

    [Fact]
    public void Next_RunSkipsALittle_GoesOn()
    {
        for (long at = 0; at < 4 * MiB; at += 100 * KiB)
        {
            Read(at, 100 * KiB);
        }

        Assert.False(Read(_read + (500 * KiB), 100 * KiB).IsJump);
        Assert.True(Read(_read + (5 * MiB), 100 * KiB).IsJump);
    }

    [Fact]
    public void Next_SkipsButReadsHalf_CountsAsARun()
    {
        int[] columns = [0, 2, 4, 5, 8];
        for (int group = 0; group < 8; group++)
        {
            foreach (int column in columns)
            {
                Read(((group * 10L) + column) * MiB, MiB);
            }
        }

        Assert.InRange(_requests, 1, 8); // they double
        Assert.InRange(Fetched, 40 * MiB, Object + 200 * MiB);
    }

    [Fact]
    public void Next_SkipsAndReadsLittle_IsNoRun()
    {
        for (int i = 0; i < 50; i++)
        {
            Read(i * (long)MiB, 100 * KiB + (i % 7 * KiB));
        }

        Assert.InRange(Fetched, 0, 25 * MiB);
    }

    [Fact]
    public void Next_AnyReads_PlanCoversTheRead()
    {
        Random random = new(3);
        for (int i = 0; i < 100_000; i++)
        {
            long count = 1 + random.NextInt64(1L << random.Next(1, 24));
            long at = random.Next(3) == 0 ? _read : random.Next(2) == 0 ? Math.Max(0, _read - (2 * count)) : random.NextInt64(1L << random.Next(1, 60));
            ReadPlan plan = _pattern.Next(at, count, random.Next(2) == 0, 1 + random.NextInt64(1L << random.Next(1, 23)));

            Assert.InRange(plan.From, 0, at);
            Assert.True(plan.End >= at + count, $"{plan} for {count} bytes at {at}");
            _read = at + count;
        }
    }

    /// <summary>The reads of a column of a Parquet file, as two libraries do it: the header of a page byte for byte, and all at once.</summary>
    [Theory]
    [InlineData(41, 1, 128 * KiB)]
    [InlineData(1, 16 * KiB, 1_583_763)]
    [InlineData(0, 0, 1_600_147)]
    public void Next_ColumnOfRowGroups_FetchesLittleMoreAfterTheFirst(int headerReads, int headerBytes, int dataBytes)
    {
        const int Column = 1_600_147;
        const long RowGroup = 8 * Column;
        PageSet pages = new();
        long former = 0;
        for (int group = 0; group < 10; group++)
        {
            long at = 4 + (group * RowGroup) + (3 * Column);
            long end = at + Column;
            for (int i = 0; i < headerReads; i++)
            {
                Fetch(at, headerBytes);
                at += headerBytes;
            }

            for (; at < end; at += dataBytes)
            {
                Fetch(at, Math.Min(dataBytes, end - at));
            }

            long fetched = pages.Runs.Sum(run => run.End - run.First) * 64 * KiB;
            Assert.InRange(fetched - former, group < 2 ? Column : 0, group == 0 ? 2.2 * Column : Column + (2 * 64 * KiB) + (group >= 2 ? group * (Column + (2 * 64 * KiB)) : 0));
            former = fetched;
        }

        // All further ranges that were fetched are those of this column. The first run can't know its end.
        Assert.InRange(former, 10L * Column, (long)(11.3 * Column) + (20 * 64 * KiB));

        void Fetch(long offset, long count)
        {
            bool isThere = pages.FindEnd(offset / (64 * KiB)) > 0;
            ReadPlan plan = _pattern.Next(offset, count, isThere, Free);
            for (int i = 0; i <= plan.Ranges; i++)
            {
                (long from, long to) = (plan.From + (i * plan.Stride), Math.Min(plan.End + (i * plan.Stride), 10 * RowGroup));
                if (from < to)
                {
                    pages.Add(from / (64 * KiB), (to + (64 * KiB) - 1) / (64 * KiB));
                }
            }
        }
    }

    [Fact]
    public void Next_VisitsOfOneLength_AreFetchedAtOnceAndNoFurther()
    {
        ReadRun(0, 300 * KiB, 30 * KiB);
        ReadPlan first = Read(200 * MiB, 30 * KiB);
        Assert.EachEqual((false, 200L * MiB + Free), (first.Slack > 0, first.End)); // one visit isn't a habit
        ReadRun((200 * MiB) + (30 * KiB), 270 * KiB, 30 * KiB);
        Assert.Equal((300 * MiB) + (300 * KiB), Read(300 * MiB, 30 * KiB).End);
        for (int read = 30 * KiB; read < 300 * KiB; read += 30 * KiB)
        {
            ReadPlan plan = Read((300 * MiB) + read, 30 * KiB);
            Assert.EachEqual(((300L * MiB) + (300 * KiB), 0L), (plan.End, plan.Slack));
        }
    }

    [Fact]
    public void Next_LongerThanTheLastVisit_GrowsAgain()
    {
        ReadRun(0, 100 * KiB, 10 * KiB);
        ReadRun(100 * MiB, 100 * KiB, 10 * KiB);
        const long Start = 500 * MiB;
        long before = 0;
        for (long read = 0; read < 20 * MiB; read += 10 * KiB)
        {
            ReadPlan plan = Read(Start + read, 10 * KiB);
            long ahead = plan.End + plan.Slack - (Start + read + (10 * KiB));
            Assert.InRange(ahead, before == 0 ? 0 : Math.Min(before, 8 * MiB) - (20 * KiB), read < 100 * KiB ? Free : read < 8 * MiB ? read + (10 * KiB) : long.MaxValue);
            before = read < 100 * KiB ? 0 : ahead;
        }

        Assert.True(before > Object); // the reader probably reads to the end
    }

    [Fact]
    public void Next_LongRunThenSmallSkips_StopsReadingFarAhead()
    {
        ReadRun(0, 100L * MiB, MiB);
        int skips = 0;
        long at = 100L * MiB;
        ReadPlan plan;
        do
        {
            at += 500 * KiB;
            plan = Read(at, 4 * KiB);
            at += 4 * KiB;
            skips++;
        }
        while (!plan.IsJump && skips < 1000);

        Assert.InRange(skips, 2, 40);
        for (int i = 0; i < 100; i++)
        {
            at += 500 * KiB;
            plan = Read(at, 4 * KiB);
            Assert.InRange(plan.End + plan.Slack - at, 4 * KiB, Free);
            at += 4 * KiB;
        }

        ReadRun(at, 20L * MiB, 100 * KiB);
        Assert.True(Read(_read, 100 * KiB).End > Object); // it reads in order again
    }

    [Fact]
    public void Next_ShortJumpsInWhatIsThere_BelongToTheVisit()
    {
        for (int visit = 0; visit < 4; visit++)
        {
            long start = visit * visit * 20L * MiB;
            Read(start, 10 * KiB);
            Read(start + (50 * KiB), 10 * KiB);
            Read(start + (20 * KiB), 5 * KiB);
            Read(start + (180 * KiB), 20 * KiB);
        }

        Assert.Equal(900L * MiB + (200 * KiB), Read(900L * MiB, 10 * KiB).End);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100 * KiB)]
    public void Next_LimitedAhead_FetchesNoMore(long most)
    {
        Random random = new(4);
        AccessPattern pattern = new(most);
        long at = 0;
        for (int i = 0; i < 100_000; i++)
        {
            long count = 1 + random.NextInt64(1L << random.Next(1, 24));
            at = random.Next(6) switch { 0 => random.NextInt64(Object), 1 => at + (10 * MiB), 2 => Math.Max(0, at - (2 * count)), _ => at };
            ReadPlan plan = pattern.Next(at, count, random.Next(2) == 0, Free);
            Assert.InRange(at - plan.From + plan.End + plan.Slack - at - count + (plan.Ranges * (plan.End - plan.From)), 0, 2 * most);
            Assert.InRange(plan.End + plan.Slack, at + count, at + count + most);
            at += count;
        }
    }

    [Fact]
    public void Within_PlanOfAnyKind_EndsWithTheRange()
    {
        Assert.Equal(new ReadPlan(100, 200, IsJump: true), new ReadPlan(50, 300, IsJump: true) { Slack = 1000, Ranges = 3, Stride = 7 }.Within(100, 150, 200) with { Stride = 0 });
        Assert.Equal(new ReadPlan(100, 250, IsJump: false), new ReadPlan(100, 300, IsJump: false).Within(100, 250, 200));
        Assert.Equal(new ReadPlan(100, 150, IsJump: false) { Slack = 50 }, new ReadPlan(100, 150, IsJump: false) { Slack = 1000 }.Within(100, 150, 200));
    }

    private void ReadRun(long at, long length, long count)
    {
        for (long end = at + length; at < end; at += count)
        {
            Read(at, count);
        }
    }

    /// <summary>Reads bytes. What the plan covers arrives before the next read.</summary>
    private ReadPlan Read(long at, long count)
    {
        bool isThere = _there.Exists(range => range.From <= at && at < range.End);
        bool isAllThere = _there.Exists(range => range.From <= at && at + count <= range.End);
        ReadPlan plan = _pattern.Next(at, count, isThere, Free);
        if (!isAllThere)
        {
            _there.Add((plan.From, Math.Min(plan.End, Object)));
            _requests++;
        }

        _read = at + count;
        return plan;
    }
}
