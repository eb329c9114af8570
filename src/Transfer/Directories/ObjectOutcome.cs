namespace Transfer.S3;

/// <summary>The outcome of one object in a transfer of many objects.</summary>
public sealed record ObjectOutcome
{
    /// <summary>Gets the status of the object.</summary>
    public required ObjectStatus Status { get; init; }

    /// <summary>Gets the key of the object; for a copy, the key of the source.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the path of the local file; <see langword="null"/> for a copy, or if the key can't be a file.</summary>
    public string? Path { get; init; }

    /// <summary>Gets the size of the object, in bytes, as far as it is known.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the result of the verification of the content; <see langword="null"/> if nothing was transferred.</summary>
    public ChecksumVerdict? Verdict { get; init; }

    /// <summary>Gets the error; <see langword="null"/> if the object didn't fail.</summary>
    public Exception? Error { get; init; }

    /// <summary>Gets the properties of the source that the copy doesn't have, as in <see cref="CopyResult.LostProperties"/>.</summary>
    /// <value>The list is empty if everything was kept, and for objects that were not copied from a store to a store.</value>
    public IReadOnlyList<string> LostProperties { get; init; } = [];

    /// <summary>
    /// Gets the ETag of the object in the store, with its quotes: for an upload or a copy, of the target that was written; for a download, of the object that was read;
    /// for a deletion, of the object as it was listed.
    /// </summary>
    /// <value><see langword="null"/> if nothing was transferred or deleted, or if the store returned none.</value>
    public string? ETag { get; init; }

    /// <summary>Gets the ETag of the object that was copied, with its quotes: of the source of a copy between two keys or stores, and of a download.</summary>
    /// <value><see langword="null"/> if nothing was copied, if the source is a file, or if the store returned none.</value>
    public string? SourceETag { get; init; }

    /// <summary>Gets the version that was deleted; <see langword="null"/> unless <see cref="DeleteDirectoryOptions.Versions"/> is set.</summary>
    public string? VersionId { get; init; }
}
