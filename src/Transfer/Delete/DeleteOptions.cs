namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.DeleteAsync"/>.</summary>
/// <example>
/// <code>
/// ObjectInfo info = await client.GetInfoAsync("bucket", "report.csv");
/// DeleteOptions options = new() { IfMatch = info.ETag }; // an object that was replaced in the meantime isn't deleted
/// DeleteResult result = await client.DeleteAsync("bucket", "report.csv", options);
/// </code>
/// </example>
public sealed record DeleteOptions
{
    /// <summary>Gets the version to delete for good, in a versioned bucket. If it is a delete marker, the version before it is the current one again.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the object is deleted. In a versioned bucket, it then gets a delete marker, and its versions remain.
    /// </value>
    public string? VersionId { get; init; }

    /// <summary>Gets the ETag that the object must have, with or without quotes. If the object has another one, it isn't deleted.</summary>
    /// <value>The default is <see langword="null"/>: the object is deleted, whatever its ETag is.</value>
    /// <remarks>
    /// The store checks the condition. Unless it is known to do that, as Amazon S3 is, a HEAD request (<c>s3:GetObject</c>) looks the object up immediately before: many stores
    /// ignore or refuse the condition. What another writer creates between the two requests is then deleted. The condition can't be combined with <see cref="VersionId"/>,
    /// because a version never changes.
    /// </remarks>
    public string? IfMatch { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the request (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// request with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
