using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

public class PageTableTests
{
    [Theory]
    [InlineData(10)]
    [InlineData(1000)]
    [InlineData(long.MaxValue)]
    public void AddAndRemove_AnyOrder_IsLikeADictionary(long range)
    {
        Random random = new(5);
        PageTable table = new();
        Dictionary<long, Page> oracle = [];
        long[] indexes = [.. Enumerable.Range(0, 300).Select(_ => random.NextInt64(range))];
        for (int i = 0; i < 10_000; i++)
        {
            long index = indexes[random.Next(indexes.Length)];
            bool isKnown = oracle.TryGetValue(index, out Page? expected);
            Assert.Equal(isKnown, table.TryGet(index, out Page? page));
            Assert.Same(expected, page);
            if (random.Next(2) == 0)
            {
                oracle.Remove(index);
                table.Remove(index);
            }
            else if (!isKnown)
            {
                oracle.Add(index, new Page());
                table.Add(index, oracle[index]);
            }
        }

        Assert.Equal(oracle.Values.ToHashSet(), table.All.ToHashSet());
    }
}
