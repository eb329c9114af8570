namespace Transfer.Jobs;

/// <summary>
/// Divides items among shards of about the same cost. Items that would unbalance a shard are placed one by one, each in the shard with the least cost. The others fill
/// the shards up to the same level in the order of their names, so that a shard is a range of names, which can be listed.
/// </summary>
internal static class ShardBalance
{
    /// <summary>The part of a shard from which an item is placed by itself. Ranges are exact to half of that at both ends, so shards differ by at most 4 %.</summary>
    private const int PlacedShare = 50;

    /// <summary>The cost that takes one worker about a minute, at 128 MiB or 128 objects per second.</summary>
    private const long MinuteCost = 60 * 128 * Sizes.MiB;

    private const int ShardsPerWorker = 4;

    /// <summary>Gets the number of shards for a cost.</summary>
    public static int CountFor(long cost, int workers) => (int)Math.Clamp(Math.Max((cost + MinuteCost - 1) / MinuteCost, (long)workers * ShardsPerWorker), 1, JobOptions.MaxShards);

    /// <summary>Divides the items.</summary>
    /// <param name="spool">The items.</param>
    /// <param name="shards">The number of shards. There are fewer if there are fewer items.</param>
    /// <returns>The shards, the one with the highest cost first. Each has an item.</returns>
    public static List<ShardLayout> Divide(ItemSpool spool, int shards)
    {
        ShardLayout[] layouts = [.. Enumerable.Range(0, (int)Math.Min(shards, spool.Count)).Select(static _ => new ShardLayout())];
        if (layouts.Length == 0)
        {
            return [];
        }

        long limit = spool.Cost / layouts.Length / PlacedShare;
        long rest = Place(spool, layouts, limit);
        Fill(spool, layouts, limit, rest);
        return [.. layouts.Where(static layout => layout.Items > 0).OrderByDescending(static layout => layout.Cost).ThenBy(FirstOf)];
    }

    private static long FirstOf(ShardLayout layout) => layout.Placed.Count > 0 ? layout.Placed[0].Number : layout.RangeFirst;

    /// <summary>Places the items above the limit, those with the highest cost first.</summary>
    /// <returns>The cost of the others.</returns>
    private static long Place(ItemSpool spool, ShardLayout[] layouts, long limit)
    {
        List<PlacedItem> large = [];
        long rest = 0;
        long number = 0;
        long offset = 0;
        foreach (SpooledItem item in spool.ReadCosts())
        {
            if (item.Cost > limit)
            {
                large.Add(new PlacedItem(item.Cost, item.Bytes, number, offset, item.Length));
            }
            else
            {
                rest += item.Cost;
            }

            number++;
            offset += item.Length;
        }

        large.Sort(static (x, y) => x.Cost != y.Cost ? y.Cost.CompareTo(x.Cost) : x.Number.CompareTo(y.Number));
        PriorityQueue<int, (long Cost, int Index)> least = new(layouts.Select(static (_, index) => (index, (0L, index))));
        foreach (PlacedItem item in large)
        {
            int index = least.Dequeue();
            layouts[index].Place(item);
            least.Enqueue(index, (layouts[index].Cost, index));
        }

        return rest;
    }

    /// <summary>Fills the shards up to the same level.</summary>
    private static void Fill(ItemSpool spool, ShardLayout[] layouts, long limit, long rest)
    {
        double level = LevelOf(layouts, rest);
        long[] costs = new long[layouts.Length];
        int index = -1;
        double end = 0;
        double filled = 0;
        long number = 0;
        long offset = 0;
        foreach (SpooledItem item in spool.ReadCosts())
        {
            if (item.Cost <= limit)
            {
                // An item belongs to the shard in which its middle is.
                double middle = filled + (item.Cost / 2.0);
                while (index < 0 || (middle >= end && index < layouts.Length - 1))
                {
                    index++;
                    end += Math.Max(0, level - layouts[index].Cost);
                }

                ShardLayout layout = layouts[index];
                if (layout.RangeItems++ == 0)
                {
                    (layout.RangeFirst, layout.RangeOffset, layout.RangeMaxCost) = (number, offset, limit);
                }

                layout.Bytes += item.Bytes;
                costs[index] += item.Cost;
                filled += item.Cost;
            }

            number++;
            offset += item.Length;
        }

        for (int i = 0; i < layouts.Length; i++)
        {
            layouts[i].Cost += costs[i];
        }
    }

    /// <summary>Gets the cost up to which shards have to be filled to take the rest.</summary>
    private static double LevelOf(ShardLayout[] layouts, long rest)
    {
        long[] costs = [.. layouts.Select(static layout => layout.Cost).Order()];
        double below = 0;
        for (int i = 0; i < costs.Length; i++)
        {
            below += costs[i];
            double level = (rest + below) / (i + 1);
            if (i == costs.Length - 1 || level <= costs[i + 1])
            {
                return level;
            }
        }

        return 0;
    }
}
