using System.Text.Json.Serialization;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>The state that a target has to be in when it is replaced or deleted.</summary>
/// <param name="Bytes">The size.</param>
/// <param name="ETag">The ETag of an object; null for a file, or if the store lists none.</param>
internal sealed record JobTarget(long Bytes, [property: JsonPropertyName("etag")] string? ETag = null)
{
    /// <summary>Gets the last-write time of a file, or the last-modified time of an object that is to be deleted, in UTC ticks; 0 if it isn't known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Modified { get; init; }

    /// <summary>Gets the time of the last change of a file, in UTC ticks; 0 if it isn't known, and for an object.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Changed { get; init; }

    /// <summary>Gets the target in the state in which it was listed.</summary>
    public static JobTarget From(TreeEntry target)
        => target.State is { } file ? From(file) : new JobTarget(target.Length, target.ETag) { Modified = target.LastWrite };

    /// <summary>Returns whether a file is in this state. What isn't known isn't compared.</summary>
    public bool Is(FileIdentity file) => file.IsSame(new FileIdentity(Bytes, Modified, Changed, 0));

    /// <summary>Gets a file in a state.</summary>
    /// <remarks>Its number isn't kept, because some file systems have other numbers on each machine.</remarks>
    public static JobTarget From(FileIdentity file) => new(file.Length) { Modified = file.LastWrite, Changed = file.ContentChanged };
}
