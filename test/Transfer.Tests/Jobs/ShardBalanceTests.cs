using System.Text;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Jobs;

/// <summary>The division of items among shards.</summary>
[Collection(ProcessMemoryCollection.Name)]
public sealed class ShardBalanceTests
{
    /// <summary>
    /// A million items of very different sizes: each shard differs from its share by at most 2.5 % of an average one, so those of the first half differ by at most 5 %.
    /// Memory doesn't grow with the number of items.
    /// </summary>
    [Fact]
    public void MillionItems_BalancedInBoundedMemory()
    {
        const int Items = 1_000_000;
        Random random = new(1);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        using ItemSpool spool = new(null);
        byte[] line = Encoding.UTF8.GetBytes(new string('x', 150) + "\n");
        for (int i = 0; i < Items; i++)
        {
            // Lognormal sizes: most are small, and a few make up a large share.
            double normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            long bytes = (long)Math.Min(4.0 * Sizes.GiB, Math.Exp(12 + (2.5 * normal)));
            spool.Add(line, bytes + JobItem.ObjectCost, bytes);
        }

        List<ShardLayout> layouts = ShardBalance.Divide(spool, ShardBalance.CountFor(spool.Cost, 8));
        long grown = GC.GetTotalMemory(forceFullCollection: true) - before;

        Assert.InRange(layouts.Count, 100, 10_000);
        Assert.EachEqual((Items, spool.Cost), (layouts.Sum(layout => layout.Items), layouts.Sum(layout => layout.Cost)));
        ExpectShares([.. layouts.Select(layout => layout.Cost)], Items);
        Assert.True(layouts[0].Cost <= layouts[(layouts.Count / 2) - 1].Cost * 1.05, $"{layouts[0].Cost} and {layouts[(layouts.Count / 2) - 1].Cost}");
        Assert.InRange(layouts[0].Cost / (double)layouts[^1].Cost, 4, 6);
        Assert.True(layouts.Zip(layouts.Skip(1)).All(pair => pair.First.Cost >= pair.Second.Cost), "the shards are in order");
        Assert.True(grown < 32 * Sizes.MiB, $"{grown} bytes");
        Assert.Equal(layouts[0].Items, spool.Read(layouts[0]).Count());
    }

    /// <summary>Few items for each shard, such as the pieces of one huge object: sizes that differ would leave shards without an item.</summary>
    [Theory]
    [InlineData(8, 8)]
    [InlineData(60, 20)]
    public void FewItems_SameSizes(int items, int shards)
    {
        using ItemSpool spool = new(null);
        for (int i = 0; i < items; i++)
        {
            spool.Add("x\n"u8, 1000, 1000);
        }

        List<ShardLayout> layouts = ShardBalance.Divide(spool, shards);

        Assert.Equal(shards, layouts.Count);
        Assert.All(layouts, layout => Assert.Equal(items / shards, layout.Items));
    }

    /// <summary>Checks that the costs of shards, in their order, are their shares of the whole cost.</summary>
    internal static void ExpectShares(long[] costs, long items)
    {
        double average = costs.Average();
        for (int i = 0; i < costs.Length; i++)
        {
            double expected = ShardBalance.GetShare(i, costs.Length, items) * average;
            Assert.True(Math.Abs(costs[i] - expected) <= 0.025 * average, $"shard {i} of {costs.Length} costs {costs[i]} instead of {expected}");
        }
    }

    [Fact]
    public void EveryItem_IsInOneShard()
    {
        Random random = new(2);
        for (int round = 0; round < 200; round++)
        {
            using ItemSpool spool = new(null);
            int items = random.Next(0, 60);
            for (int i = 0; i < items; i++)
            {
                spool.Add(Encoding.UTF8.GetBytes($"{i}\n"), random.Next(4) == 0 ? random.Next(1, 100_000) : random.Next(1, 100), i);
            }

            List<ShardLayout> layouts = ShardBalance.Divide(spool, random.Next(1, 20));

            string[] all = [.. layouts.SelectMany(layout => spool.Read(layout).Select(text => Encoding.UTF8.GetString(text.Span).TrimEnd('\n')))];
            Assert.Equal(Enumerable.Range(0, items), all.Select(int.Parse).Order());
            foreach (ShardLayout layout in layouts)
            {
                int[] numbers = [.. spool.Read(layout).Select(text => int.Parse(Encoding.UTF8.GetString(text.Span).TrimEnd('\n')))];
                Assert.Equal(layout.Items, numbers.Length);
                Assert.Equal(layout.Bytes, numbers.Sum());
                Assert.Equal(numbers[layout.Placed.Count..].Order(), numbers[layout.Placed.Count..]);
            }
        }
    }

    [Theory]
    [InlineData(0, 1, 4)]
    [InlineData(1L << 40, 1, 137)]
    [InlineData(1L << 40, 100, 400)]
    [InlineData(long.MaxValue / 2, 1, 100_000)]
    public void Count_IsAMinuteOfAWorkerAndFourForEach(long cost, int workers, int shards) => Assert.Equal(shards, ShardBalance.CountFor(cost, workers));
}
