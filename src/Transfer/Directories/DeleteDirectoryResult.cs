namespace Transfer.S3;

/// <summary>The result of a deletion of many objects.</summary>
public sealed record DeleteDirectoryResult
{
    /// <summary>
    /// Gets the number of objects that were deleted or, with <see cref="DeleteDirectoryOptions.DryRun"/>, would be deleted. Objects that somebody else deleted after
    /// they were listed are included.
    /// </summary>
    public required long Objects { get; init; }

    /// <summary>Gets the size of these objects, in bytes; 0 with <see cref="DeleteDirectoryOptions.Keys"/>, because it is unknown.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the number of objects that could not be deleted. It is 0 with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</summary>
    public required long FailedCount { get; init; }

    /// <summary>
    /// Gets the first 1,000 objects that could not be deleted, with their errors. <see cref="DeleteDirectoryOptions.ObjectEnded"/> receives all of them.
    /// </summary>
    /// <remarks>The list is empty with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</remarks>
    public required IReadOnlyList<ObjectOutcome> Failures { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the deletion.</summary>
    public required TransferStatistics Statistics { get; init; }
}
