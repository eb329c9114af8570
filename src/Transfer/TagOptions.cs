namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.GetTagsAsync"/> and <see cref="ITransferClient.SetTagsAsync"/>.</summary>
public sealed record TagOptions
{
    /// <summary>Gets the version of the object, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version.</value>
    public string? VersionId { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
