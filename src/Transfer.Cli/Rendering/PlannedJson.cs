using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>What a dry run would do with one object: a line of --json.</summary>
/// <param name="Action">copy, move, or delete.</param>
/// <param name="Source">The object or file that would be copied; null for a deletion.</param>
/// <param name="Target">The object or file that would be written or deleted.</param>
/// <param name="Bytes">The size, in bytes; null if it isn't known.</param>
/// <param name="VersionId">The version that would be deleted; null for the current one.</param>
internal sealed record PlannedJson(
    string Action,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Source,
    string Target,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] long? Bytes,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? VersionId = null)
{
    /// <summary>Gets the line of a copy or a move.</summary>
    public static PlannedJson Copy(bool moves, string source, string target, long? bytes) => new(moves ? "move" : "copy", source, target, bytes);

    /// <summary>Gets the line of a deletion.</summary>
    public static PlannedJson Delete(string target, long? bytes, string? versionId = null) => new("delete", null, target, bytes, versionId);
}
