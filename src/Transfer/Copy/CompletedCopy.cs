namespace Transfer.S3.Copy;

/// <summary>A copy that has ended.</summary>
/// <param name="Result">The result.</param>
/// <param name="Source">The source in the state to which the copy was bound.</param>
internal sealed record CompletedCopy(CopyResult Result, ObjectInfo Source);
