namespace Transfer.S3;

/// <summary>The result of a transfer of many objects.</summary>
public sealed record DirectoryResult
{
    /// <summary>Gets the number of objects that were transferred or, with <see cref="DirectoryOptions.DryRun"/>, would be transferred.</summary>
    public required long Objects { get; init; }

    /// <summary>Gets the size of these objects, in bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the number of objects that were skipped because the target already exists.</summary>
    public required long Skipped { get; init; }

    /// <summary>Gets the number of objects that were skipped because they are archived (<see cref="ArchivedObjects.Skip"/>).</summary>
    public long Archived { get; init; }

    /// <summary>Gets the number of archived objects whose restoration was requested or is in progress (<see cref="ArchivedObjects.Restore"/>).</summary>
    public long Restoring { get; init; }

    /// <summary>Gets the number of transferred objects whose content was verified.</summary>
    public required long Verified { get; init; }

    /// <summary>Gets the number of copied objects that don't have all properties of their sources. <see cref="ObjectOutcome.LostProperties"/> names the properties.</summary>
    public long WithLostProperties { get; init; }

    /// <summary>Gets the number of objects that failed. It is 0 with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</summary>
    public required long FailedCount { get; init; }

    /// <summary>Gets the first 1,000 objects that failed, with their errors. <see cref="DirectoryOptions.ObjectEnded"/> receives all of them.</summary>
    /// <remarks>The list is empty with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</remarks>
    public required IReadOnlyList<ObjectOutcome> Failures { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the transfer.</summary>
    public required TransferStatistics Statistics { get; init; }
}
