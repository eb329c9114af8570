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
    public void Next_RandomReadsThatContinue_FetchWhatIsFreeAgain()
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
        Assert.Equal(Free, _there[^1].End - _there[^1].From);
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
