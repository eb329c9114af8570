using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>The properties of an object, as the store returned them.</summary>
public sealed record ObjectInfo
{
    private static readonly Dictionary<string, string> NoMetadata = [];

    /// <summary>Gets the size, in bytes, of the whole object, even if only a range of it is read.</summary>
    public required long Length { get; init; }

    /// <summary>Gets the ETag with its quotes, as the store returned it; <see langword="null"/> if there is none.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the version of the object; <see langword="null"/> if the bucket isn't versioned.</summary>
    public string? VersionId { get; init; }

    /// <summary>Gets the last-modified time of the object; <see langword="null"/> if the store didn't return it.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gets the content type that was stored with the object; <see langword="null"/> if there is none.</summary>
    public string? ContentType
    {
        get => Headers[ObjectHeader.ContentType];
        init => Headers = Headers.With(ObjectHeader.ContentType, value);
    }

    /// <summary>Gets the <c>Cache-Control</c> header that was stored with the object; <see langword="null"/> if there is none.</summary>
    public string? CacheControl
    {
        get => Headers[ObjectHeader.CacheControl];
        init => Headers = Headers.With(ObjectHeader.CacheControl, value);
    }

    /// <summary>Gets the <c>Content-Disposition</c> header that was stored with the object; <see langword="null"/> if there is none.</summary>
    public string? ContentDisposition
    {
        get => Headers[ObjectHeader.ContentDisposition];
        init => Headers = Headers.With(ObjectHeader.ContentDisposition, value);
    }

    /// <summary>
    /// Gets the <c>Content-Encoding</c> header that was stored with the object; <see langword="null"/> if there is none. Downloads never decode the content.
    /// </summary>
    public string? ContentEncoding
    {
        get => Headers[ObjectHeader.ContentEncoding];
        init => Headers = Headers.With(ObjectHeader.ContentEncoding, value);
    }

    /// <summary>Gets the <c>Content-Language</c> header that was stored with the object; <see langword="null"/> if there is none.</summary>
    public string? ContentLanguage
    {
        get => Headers[ObjectHeader.ContentLanguage];
        init => Headers = Headers.With(ObjectHeader.ContentLanguage, value);
    }

    /// <summary>
    /// Gets the time of the <c>Expires</c> header that was stored with the object; <see langword="null"/> if there is none, or if it isn't an HTTP date.
    /// </summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>Gets the <c>Expires</c> header as it was stored, which needn't be a date; <see langword="null"/> if there is none.</summary>
    public string? ExpiresText
    {
        get => Headers[ObjectHeader.Expires];
        init => Headers = Headers.With(ObjectHeader.Expires, value);
    }

    /// <summary>
    /// Gets the storage class, such as <c>GLACIER</c>; <see langword="null"/> if the store didn't return it. Amazon S3 doesn't return <c>STANDARD</c>.
    /// </summary>
    public string? StorageClass
    {
        get => Headers[ObjectHeader.StorageClass];
        init => Headers = Headers.With(ObjectHeader.StorageClass, value);
    }

    /// <summary>
    /// Gets the server-side encryption: <c>AES256</c>, <c>aws:kms</c>, <c>aws:kms:dsse</c>, or <c>SSE-C</c> for a customer-provided key; <see langword="null"/> if the
    /// store didn't return it.
    /// </summary>
    public string? Encryption { get; init; }

    /// <summary>Gets the state of the restoration of an archived object; <see langword="null"/> if none was requested.</summary>
    public RestoreState? Restore { get; init; }

    /// <summary>Gets the number of tags; <see langword="null"/> if the store didn't return it. Amazon S3 returns it only if there are tags and the caller can read them.</summary>
    public int? TagCount { get; init; }

    /// <summary>Gets the user metadata, without the <c>x-amz-meta-</c> prefix. The names are in lower case.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = NoMetadata;

    /// <summary>Gets the headers whose properties show their text.</summary>
    internal HeaderValues Headers { get; init; }

    /// <summary>Gets the checksum that the store holds; <see langword="null"/> if there is none, or if the store hasn't returned it yet.</summary>
    public StoredChecksum? Checksum { get; init; }
}
