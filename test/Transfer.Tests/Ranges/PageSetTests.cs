using Transfer.S3.Ranges;

namespace Transfer.S3.Tests.Ranges;

public sealed class PageSetTests
{
    [Fact]
    public void FindEnd_NothingWasAdded_IsZero()
    {
        PageSet set = new();

        Assert.Equal(0, set.FindEnd(0));
        Assert.False(set.Overlaps(0, 100));
    }

    [Fact]
    public void Add_RunsThatTouch_BecomeOne()
    {
        PageSet set = new();
        set.Add(10, 20);
        set.Add(30, 40);
        set.Add(20, 30);

        Assert.Equal((10, 40), Assert.Single(set.Runs));
        Assert.EachEqual((0L, 40L, 40L, 0L), (set.FindEnd(9), set.FindEnd(10), set.FindEnd(39), set.FindEnd(40)));
        Assert.EachEqual((false, true, true, false), (set.Overlaps(0, 10), set.Overlaps(0, 11), set.Overlaps(39, 50), set.Overlaps(40, 50)));
    }

    [Fact]
    public void Add_AnyRuns_IsTheUnion()
    {
        for (int seed = 0; seed < 200; seed++)
        {
            Random random = new(seed);
            PageSet set = new();
            bool[] expected = new bool[100];
            for (int i = 0; i < 12; i++)
            {
                int first = random.Next(90);
                int end = first + 1 + random.Next(9);
                set.Add(first, end);
                expected.AsSpan(first, end - first).Fill(true);
            }

            for (int page = 0; page < expected.Length; page++)
            {
                int end = Array.IndexOf(expected, false, page);
                Assert.Equal(expected[page] ? end : 0, set.FindEnd(page));
                Assert.Equal(expected.AsSpan(page, Math.Min(3, expected.Length - page)).Contains(true), set.Overlaps(page, page + 3));
            }

            Assert.All(set.Runs.Zip(set.Runs.Skip(1)), pair => Assert.True(pair.First.End < pair.Second.First));
        }
    }
}
