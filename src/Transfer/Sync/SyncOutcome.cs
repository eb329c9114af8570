namespace Transfer.S3;

/// <summary>The outcome of one action of a synchronization.</summary>
public sealed record SyncOutcome
{
    /// <summary>
    /// Gets the action that ended. If a copy, a replacement, or a deletion failed, its <see cref="SyncAction.Kind"/> is still what was tried, and <see
    /// cref="Error"/> is set.
    /// </summary>
    public required SyncAction Action { get; init; }

    /// <summary>Gets the error; <see langword="null"/> if the action succeeded.</summary>
    public Exception? Error { get; init; }

    /// <summary>Gets the result of the verification of the content; <see langword="null"/> if nothing was transferred.</summary>
    public ChecksumVerdict? Verdict { get; init; }

    /// <summary>Gets a value that indicates whether the source or the target had changed since it was listed, so that nothing was written or deleted.</summary>
    public bool IsConflict { get; init; }

    /// <summary>Gets the ETag of the source as it was listed, with its quotes; <see langword="null"/> for a file, a deletion, or if the store lists none.</summary>
    public string? SourceETag { get; init; }

    /// <summary>
    /// Gets the ETag that the target had when it was listed, with its quotes; <see langword="null"/> for a file, if there was no target, or if the store lists none.
    /// </summary>
    public string? TargetETagBefore { get; init; }

    /// <summary>Gets the ETag of the target that was written, with its quotes; <see langword="null"/> for a file, if nothing was written, or if it isn't known.</summary>
    public string? TargetETag { get; init; }

    /// <summary>Gets the properties of the source that the copy doesn't have, as in <see cref="CopyResult.LostProperties"/>.</summary>
    /// <value>The list is empty if everything was kept, and for objects that were not copied from a store to a store.</value>
    public IReadOnlyList<string> LostProperties { get; init; } = [];
}
