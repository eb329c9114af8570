namespace Transfer.S3.Trees;

/// <summary>What a comparison by time compares.</summary>
/// <param name="Length">The size, in bytes.</param>
/// <param name="Time">The last-write time of the file, which an object records in its metadata; null if it isn't known.</param>
internal readonly record struct ItemTimes(long Length, DateTimeOffset? Time);
