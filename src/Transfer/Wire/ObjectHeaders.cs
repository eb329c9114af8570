namespace Transfer.S3.Wire;

/// <summary>The headers of a new object. Null means the default of the store.</summary>
internal sealed record ObjectHeaders
{
    public string? ContentType { get; init; }

    public string? CacheControl { get; init; }

    public string? ContentDisposition { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public string? Expires { get; init; }

    /// <summary>Gets the user metadata, with names without <c>x-amz-meta-</c>.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    public IReadOnlyDictionary<string, string>? Tags { get; init; }

    public string? StorageClass { get; init; }

    public string? Acl { get; init; }

    public ObjectEncryption? Encryption { get; init; }

    public ObjectLock? Lock { get; init; }

    /// <summary>Gets the tags in the form of a query, as in their header; null if there are none.</summary>
    public string? TagQuery => Tags is { Count: > 0 } tags
        ? string.Join('&', tags.Select(tag => $"{Uri.EscapeDataString(tag.Key)}={Uri.EscapeDataString(tag.Value)}"))
        : null;
}
