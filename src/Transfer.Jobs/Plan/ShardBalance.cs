namespace Transfer.S3.Jobs;

/// <summary>
/// Divides items among shards. The first half of the shards costs the same, and the others cost less and less, because the time that workers wait at the end is that of
/// the last shards. Items that would unbalance a shard are placed one by one, each in the shard with the most room. The others fill the shards in the order of their
/// names, so that a shard is a range of names, which can be listed.
/// </summary>
internal static class ShardBalance
{
    /// <summary>The part of an average shard from which an item is placed by itself. Ranges are exact to half of that at both ends.</summary>
    private const int PlacedShare = 50;

    /// <summary>The cost of the last shard, as a share of the average one. Those of the first half cost more than the average one.</summary>
    private const double LastShare = 0.25;

    /// <summary>The number of items for each shard from which shards have different sizes. With fewer, the small ones could be empty.</summary>
    private const int MinItems = 8;

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
        double[] shares = [.. Enumerable.Range(0, layouts.Length).Select(index => GetShare(index, layouts.Length, spool.Count))];
        long rest = Place(spool, layouts, shares, limit);
        Fill(spool, layouts, shares, limit, rest);
        return [.. layouts.Where(static layout => layout.Items > 0).OrderByDescending(static layout => layout.Cost).ThenBy(GetFirst)];
    }

    /// <summary>Gets the cost that a shard should have, as a share of the average one.</summary>
    public static double GetShare(int index, int shards, long items)
    {
        const double FirstShare = (4 - LastShare) / 3; // the average of all is 1
        double half = shards / 2.0;
        return items < (long)MinItems * shards ? 1
            : FirstShare - ((FirstShare - LastShare) * Math.Max(0, index + 0.5 - half) / half);
    }

    private static long GetFirst(ShardLayout layout) => layout.Placed.Count > 0 ? layout.Placed[0].Number : layout.RangeFirst;

    /// <summary>Places the items above the limit, those with the highest cost first.</summary>
    /// <returns>The cost of the others.</returns>
    private static long Place(ItemSpool spool, ShardLayout[] layouts, double[] shares, long limit)
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
        double average = (double)spool.Cost / layouts.Length;
        PriorityQueue<int, (double Cost, int Index)> least = new(layouts.Select((_, index) => (index, (-shares[index] * average, index))));
        foreach (PlacedItem item in large)
        {
            int index = least.Dequeue();
            layouts[index].Place(item);
            least.Enqueue(index, (layouts[index].Cost - (shares[index] * average), index));
        }

        return rest;
    }

    /// <summary>Fills the shards up to their shares of the same level.</summary>
    private static void Fill(ItemSpool spool, ShardLayout[] layouts, double[] shares, long limit, long rest)
    {
        double level = GetLevel(layouts, shares, rest);
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
                    end += Math.Max(0, (shares[index] * level) - layouts[index].Cost);
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

    /// <summary>Gets the cost of an average shard up to whose share shards have to be filled to take the rest.</summary>
    private static double GetLevel(ShardLayout[] layouts, double[] shares, long rest)
    {
        (double Level, double Cost, double Share)[] filled = [.. layouts.Select((layout, index) => (layout.Cost / shares[index], (double)layout.Cost, shares[index])).Order()];
        double below = 0;
        double share = 0;
        for (int i = 0; i < filled.Length; i++)
        {
            below += filled[i].Cost;
            share += filled[i].Share;
            double level = (rest + below) / share;
            if (i == filled.Length - 1 || level <= filled[i + 1].Level)
            {
                return level;
            }
        }

        return 0;
    }
}
