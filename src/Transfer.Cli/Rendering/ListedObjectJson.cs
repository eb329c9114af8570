using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>One object of a listing: a line of --json. It has a version only if versions or the objects of an earlier time are listed.</summary>
internal sealed record ListedObjectJson(
    string Key,
    long Size,
    DateTimeOffset? LastModified,
    [property: JsonPropertyName("etag")] string? ETag,
    string? StorageClass,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? VersionId)
{
    /// <summary>Gets a value that indicates whether this is the latest version; null unless all versions are listed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? IsLatest { get; init; }

    /// <summary>Gets a value that indicates whether this is a delete marker; null unless all versions are listed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? IsDeleteMarker { get; init; }

    /// <summary>Gets the bucket; null unless several addresses are listed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Bucket { get; init; }
}
