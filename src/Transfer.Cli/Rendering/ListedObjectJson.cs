using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>One object of a listing: a line of --json. It has a version only if the objects of an earlier time are listed.</summary>
internal sealed record ListedObjectJson(
    string Key,
    long Size,
    DateTimeOffset? LastModified,
    [property: JsonPropertyName("etag")] string? ETag,
    string? StorageClass,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? VersionId);
