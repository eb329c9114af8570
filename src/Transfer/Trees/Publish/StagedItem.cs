using System.Text.Json.Serialization;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>An object that was uploaded and isn't published yet.</summary>
/// <param name="Name">The name, relative to both sides.</param>
/// <param name="Upload">What completes the upload.</param>
internal sealed record StagedItem(string Name, StagedUpload Upload)
{
    /// <summary>Gets the ETag of the target that is replaced; null if the listing had none.</summary>
    public string? TargetETag { get; init; }

    /// <summary>Gets the size of the target that is replaced; null if there must be none.</summary>
    public long? TargetBytes { get; init; }

    /// <summary>Gets what was decided: to copy or to replace.</summary>
    public ObjectOperation? Operation { get; init; }

    public string? Reason { get; init; }

    public string? SourceETag { get; init; }

    /// <summary>Gets the properties of the source that the object doesn't have, whatever the store does.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets why the content isn't known to be that of the source, even if the store confirms it; null if it is.</summary>
    public string? Unverified { get; init; }

    /// <summary>Gets the mark of what was read; null if it can't be recognized again.</summary>
    public SyncMark? SourceMark { get; init; }

    /// <summary>Gets a value that indicates whether the object can be recognized by its ETag.</summary>
    public bool IsProven { get; init; }

    public ContentChecksum? Content { get; init; }

    /// <summary>Gets when the comparison of both sides began.</summary>
    public DateTimeOffset Began { get; init; }

    /// <summary>Gets the target as it was listed; null if there was none.</summary>
    [JsonIgnore]
    public TreeEntry? Target => TargetBytes is { } bytes ? new TreeEntry(Name, bytes) { ETag = TargetETag } : null;
}
