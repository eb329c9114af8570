namespace Transfer.S3.Sync;

/// <summary>What a comparison by time compares.</summary>
/// <param name="Length">The size, in bytes.</param>
/// <param name="Time">The last-write time of the file, which an object records in its metadata; null if it isn't known.</param>
internal readonly record struct SyncTimes(long Length, DateTimeOffset? Time);
