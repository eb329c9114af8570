namespace Transfer.S3;

/// <summary>The result of a copy within a store.</summary>
public sealed record CopyResult
{
    /// <summary>Gets the ETag of the target, with its quotes.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the ETag of the source in the state that was copied, with its quotes; <see langword="null"/> if the store returned none.</summary>
    public string? SourceETag { get; init; }

    /// <summary>Gets the version of the target; <see langword="null"/> if the bucket isn't versioned.</summary>
    public string? VersionId { get; init; }

    /// <summary>
    /// Gets the result of the verification: whether the store returned the same full-object checksum or the same ETag for the target as for the source.
    /// </summary>
    public required ChecksumVerdict Verdict { get; init; }

    /// <summary>
    /// Gets the properties of the source that the target doesn't have, because they could not be read or sent, or because each store or bucket has its own: the name
    /// of a header, <c>metadata 'name'</c>, or <c>tags</c>.
    /// </summary>
    /// <value>
    /// The list is empty if everything was kept. Every header of the source's response is kept or in this list, except those that aren't properties of the object.
    /// An ACL is neither, because no response contains it.
    /// </value>
    public IReadOnlyList<string> LostProperties { get; init; } = [];

    /// <summary>Gets the time, the requests, and the bytes of the copy.</summary>
    public required TransferStatistics Statistics { get; init; }

    /// <summary>Gets the number of parts of the multipart copy; 0 if the object was copied with a single request.</summary>
    public required int Parts { get; init; }
}
