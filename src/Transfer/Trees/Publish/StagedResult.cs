namespace Transfer.S3.Trees;

/// <summary>How an object was published.</summary>
/// <param name="ETag">The ETag.</param>
/// <param name="Verdict">The result of the verification; null if the object was there already.</param>
/// <param name="Lost">The properties of the source that the store didn't apply.</param>
internal sealed record StagedResult(string? ETag, ChecksumVerdict? Verdict, IReadOnlyList<string> Lost);
