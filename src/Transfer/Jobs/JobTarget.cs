using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>The state that a target has to be in when it is replaced or deleted.</summary>
/// <param name="Bytes">The size.</param>
/// <param name="ETag">The ETag of an object; null for a file, or if the store lists none.</param>
internal sealed record JobTarget(long Bytes, [property: JsonPropertyName("etag")] string? ETag = null)
{
    /// <summary>Gets the last-write time of a file, in UTC ticks; 0 for an object.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Modified { get; init; }
}
