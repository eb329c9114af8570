namespace Transfer;

/// <summary>The options of <see cref="ITransferClient.ListObjectsAsync"/>.</summary>
public sealed record ListObjectsOptions
{
    /// <summary>Gets the delimiter that ends a level of keys, which is almost always a slash.</summary>
    /// <value>
    /// The default is <see langword="null"/>: all objects under the prefix are listed. With a delimiter, the keys that contain it after the prefix are replaced with
    /// one <see cref="ListedObject.IsPrefix"/> for each of their beginnings, up to and including the delimiter.
    /// </value>
    public string? Delimiter { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
