using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of a synchronization: numbers of files and objects.</summary>
internal sealed record SyncedJson(long Copied, long Replaced, long Deleted, long Kept, long Shielded, long Conflicts, long Failed, long Withheld)
{
    /// <summary>Gets the number of objects that were uploaded and not published because of failures; null without --publish.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Unpublished { get; init; }

    /// <summary>Gets the seconds in which all objects were published; null without --publish, or if none was.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? PublishSeconds { get; init; }

    public static SyncedJson From(Counts counts)
        => new(counts.Copied, counts.Replaced, counts.Deleted, counts.Same, counts.Shielded, counts.Conflicts, counts.Failed, counts.Withheld);

    /// <summary>Gets the result of a synchronization that publishes everything at once.</summary>
    public SyncedJson Published(DirectoryResult result)
        => this with { Unpublished = result.Counts.Unpublished, PublishSeconds = result.PublishWindow is { } window ? Math.Round(window.TotalSeconds, 3) : null };
}
