namespace Transfer.Server.Storage;

/// <summary>What a client says about an object when it creates it; null where it said nothing.</summary>
internal sealed record ObjectAttributes
{
    public static readonly ObjectAttributes None = new();

    public string? ContentType { get; init; }

    public string? CacheControl { get; init; }

    public string? ContentDisposition { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public string? Expires { get; init; }

    /// <summary>A label that is stored and shown; it changes nothing else. Null is STANDARD.</summary>
    public string? StorageClass { get; init; }

    /// <summary>The MD5, in base64, of the key that reads must bring; null where they need none.</summary>
    public string? CustomerKeyMd5 { get; init; }

    /// <summary>Names in lower case, without <c>x-amz-meta-</c>.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> UserMetadata { get; init; } = [];

    public IReadOnlyList<KeyValuePair<string, string>> Tags { get; init; } = [];
}
