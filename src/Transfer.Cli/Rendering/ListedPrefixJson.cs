using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>One common prefix of a listing: a line of --json.</summary>
internal sealed record ListedPrefixJson(string Prefix)
{
    /// <summary>Gets the bucket; null unless several addresses are listed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Bucket { get; init; }
}
