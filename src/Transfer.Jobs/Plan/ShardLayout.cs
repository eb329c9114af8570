namespace Transfer.S3.Jobs;

/// <summary>The items of one shard: some that were placed one by one, and a range of the others in the order of their names.</summary>
internal sealed class ShardLayout
{
    /// <summary>Gets the items that were placed one by one, the one with the highest cost first.</summary>
    public List<PlacedItem> Placed { get; } = [];

    /// <summary>Gets or sets the number of the first item of the range.</summary>
    public long RangeFirst { get; set; }

    /// <summary>Gets or sets the offset of the first line of the range.</summary>
    public long RangeOffset { get; set; }

    /// <summary>Gets or sets the number of items of the range.</summary>
    public long RangeItems { get; set; }

    /// <summary>Gets or sets the highest cost of an item that belongs to the range.</summary>
    public long RangeMaxCost { get; set; }

    public long Cost { get; set; }

    public long Bytes { get; set; }

    public long Items => Placed.Count + RangeItems;

    public void Place(PlacedItem item)
    {
        Placed.Add(item);
        (Cost, Bytes) = (Cost + item.Cost, Bytes + item.Bytes);
    }
}
