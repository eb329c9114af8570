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

    /// <summary>Gets the number of copied objects that don't have all properties of their sources. <see cref="ObjectOutcome.Lost"/> names the properties.</summary>
    public long WithLostProperties { get; init; }

    /// <summary>Gets the number of objects that failed. It is 0 with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</summary>
    public required long Failed { get; init; }

    /// <summary>Gets the first 1,000 objects that failed, with their errors. <see cref="DirectoryOptions.ObjectEnded"/> receives all of them.</summary>
    /// <remarks>The list is empty with <see cref="FailurePolicy.Abort"/>, because the first failure is thrown.</remarks>
    public required IReadOnlyList<ObjectOutcome> Failures { get; init; }

    /// <summary>Gets the number of requests that were sent, including retries and pages of listings.</summary>
    public required long Requests { get; init; }

    /// <summary>Gets the number of requests that were retries of failed requests.</summary>
    public required long Retries { get; init; }

    /// <summary>Gets the number of requests that were sent again because the first one was slow. They are included in <see cref="Requests"/>.</summary>
    public long Hedged { get; init; }

    /// <summary>Gets a breakdown of the time that the transfer took, with the factor that limited its speed.</summary>
    public TransferTimes Times { get; init; } = new();

    /// <summary>Gets the time from the call to the end of the transfer.</summary>
    public required TimeSpan Elapsed { get; init; }
}
