using System.Text.Json.Serialization;

namespace Transfer.Cli.Rendering;

/// <summary>One object of a listing: a line of --json.</summary>
internal sealed record ListedObjectJson(string Key, long Size, DateTimeOffset? LastModified, [property: JsonPropertyName("etag")] string? ETag, string? StorageClass);
