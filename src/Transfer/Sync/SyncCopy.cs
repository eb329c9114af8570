namespace Transfer.Sync;

/// <summary>The result of one copy.</summary>
/// <param name="Bytes">The number of bytes.</param>
/// <param name="Verdict">The result of the verification; null for a folder.</param>
/// <param name="Lost">The properties of the source that the copy doesn't have.</param>
/// <param name="ETag">The ETag of the target; null for a file, or if it isn't known to have the content of the source.</param>
internal readonly record struct SyncCopy(long Bytes, ChecksumVerdict? Verdict, IReadOnlyList<string> Lost, string? ETag = null);
