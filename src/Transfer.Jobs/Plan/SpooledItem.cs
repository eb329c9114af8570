namespace Transfer.S3.Jobs;

/// <summary>What is known of an item while items are divided among shards.</summary>
/// <param name="Cost">The cost.</param>
/// <param name="Bytes">The number of bytes that the item moves.</param>
/// <param name="Length">The length of the line.</param>
internal readonly record struct SpooledItem(long Cost, long Bytes, long Length);
