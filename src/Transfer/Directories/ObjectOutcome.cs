namespace Transfer.S3;

/// <summary>The outcome of one object in a transfer of many objects.</summary>
/// <param name="Status">The status of the object.</param>
/// <param name="Key">The key of the object; for a copy, the key of the source.</param>
/// <param name="Path">The path of the local file; <see langword="null"/> for a copy, or if the key can't be a file.</param>
/// <param name="Bytes">The size of the object, in bytes, as far as it is known.</param>
/// <param name="Verdict">The result of the verification of the content; <see langword="null"/> if nothing was transferred.</param>
/// <param name="Error">The error; <see langword="null"/> if the object didn't fail.</param>
public sealed record ObjectOutcome(ObjectStatus Status, string Key, string? Path, long Bytes, ChecksumVerdict? Verdict = null, Exception? Error = null)
{
    /// <summary>Gets the properties of the source that the copy doesn't have, as in <see cref="CopyResult.Lost"/>.</summary>
    /// <value>The list is empty if everything was kept, and for objects that were not copied from a store to a store.</value>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>
    /// Gets the ETag of the object in the store, with its quotes: for an upload or a copy, of the target that was written; for a download, of the object that was read;
    /// for a deletion, of the object as it was listed.
    /// </summary>
    /// <value><see langword="null"/> if nothing was transferred or deleted, or if the store returned none.</value>
    public string? ETag { get; init; }

    /// <summary>Gets the version that was deleted; <see langword="null"/> unless <see cref="DeleteDirectoryOptions.Versions"/> is set.</summary>
    public string? VersionId { get; init; }
}
