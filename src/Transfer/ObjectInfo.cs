namespace Transfer;

/// <summary>What the store said about an object when it was opened.</summary>
public sealed record ObjectInfo
{
    private static readonly Dictionary<string, string> NoMetadata = [];

    /// <summary>The size in bytes of the whole object, also where only a range of it is read.</summary>
    public required long Length { get; init; }

    /// <summary>The entity tag with its quotes, as the store sent it; null where it sent none.</summary>
    public string? ETag { get; init; }

    /// <summary>The version, in a bucket that keeps them.</summary>
    public string? VersionId { get; init; }

    /// <summary>When the object was last written.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>The media type that was stored with the object.</summary>
    public string? ContentType { get; init; }

    /// <summary>Gets the <c>Cache-Control</c> that was stored with the object; null if there is none.</summary>
    public string? CacheControl { get; init; }

    /// <summary>Gets the <c>Content-Disposition</c> that was stored with the object; null if there is none.</summary>
    public string? ContentDisposition { get; init; }

    /// <summary>Gets the <c>Content-Encoding</c> that was stored with the object; null if there is none. The bytes are never decoded.</summary>
    public string? ContentEncoding { get; init; }

    /// <summary>Gets the <c>Content-Language</c> that was stored with the object; null if there is none.</summary>
    public string? ContentLanguage { get; init; }

    /// <summary>Gets the time in the <c>Expires</c> header that was stored with the object; null if there is none, or if it is not an HTTP date.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>User metadata, without the <c>x-amz-meta-</c> prefix. Names are in lower case.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = NoMetadata;

    /// <summary>The checksum that the store holds, where it is known yet.</summary>
    public StoredChecksum? Checksum { get; init; }

    /// <summary>
    /// Whether its entity tag is something else than an MD5 by all rules: the object is encrypted with a key of KMS or of the customer, or in a directory bucket
    /// (Amazon S3 API Reference, "Object").
    /// </summary>
    internal bool HidesMd5 { get; init; }

    /// <summary>Why the store was not asked for the checksum that a request wanted; null where it was, or none was wanted.</summary>
    internal string? ChecksumNotRequested { get; init; }

    /// <summary>Gets the date of the response to a HEAD request, by the store's clock; null if it is not known.</summary>
    internal DateTimeOffset? AnsweredAt { get; init; }

    /// <summary>
    /// The answer that this was read from, an <see cref="HttpResponseMessage"/> or a <see cref="Amazon.S3.Model.GetObjectResponse"/>: for its headers
    /// alone, and only where <see cref="DownloadOptions.KeepAnswer"/> asked for it.
    /// </summary>
    internal object? Answer { get; init; }
}
