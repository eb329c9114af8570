namespace Transfer.S3.Copy;

/// <summary>A copy that has ended.</summary>
/// <param name="Result">The result.</param>
/// <param name="SourceETag">The ETag of the source, to which the copy was bound; null if the store returned none.</param>
internal sealed record CompletedCopy(CopyResult Result, string? SourceETag);
