namespace Transfer.S3.Jobs;

/// <summary>An item whose cost is so high that it is placed by itself.</summary>
/// <param name="Cost">The cost.</param>
/// <param name="Bytes">The number of bytes that the item moves.</param>
/// <param name="Number">The number of the item.</param>
/// <param name="Offset">The offset of the line.</param>
/// <param name="Length">The length of the line.</param>
internal readonly record struct PlacedItem(long Cost, long Bytes, long Number, long Offset, long Length);
