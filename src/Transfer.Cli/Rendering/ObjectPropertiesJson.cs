using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The properties of one object: a line of --json. Properties that the object doesn't have are null.</summary>
internal sealed record ObjectPropertiesJson
{
    /// <summary>Gets the bucket; null unless several objects are shown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Bucket { get; init; }

    public required string Key { get; init; }

    public required long Size { get; init; }

    public DateTimeOffset? LastModified { get; init; }

    [JsonPropertyName("etag")]
    public string? ETag { get; init; }

    public string? VersionId { get; init; }

    /// <summary>Gets the storage class; STANDARD if the store didn't return any.</summary>
    public required string StorageClass { get; init; }

    public string? ContentType { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public string? ContentDisposition { get; init; }

    public string? CacheControl { get; init; }

    /// <summary>Gets the <c>Expires</c> header as it was stored, which needn't be a date.</summary>
    public string? Expires { get; init; }

    public string? Encryption { get; init; }

    /// <summary>Gets the state of the restore of an archived object, such as <c>ongoing</c>.</summary>
    public string? Restore { get; init; }

    public StoredChecksumJson? Checksum { get; init; }

    /// <summary>Gets the number of parts that the object was uploaded in; null if it isn't known.</summary>
    public int? Parts { get; init; }

    public int? Tags { get; init; }

    public required IReadOnlyDictionary<string, string> Metadata { get; init; }
}
