using System.Text.Json.Serialization;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>One line of --report: how the copy or the deletion of one object ended. Each line has the fields that are known. Scripts rely on the names.</summary>
internal sealed record ReportJson
{
    public const string Done = "done";
    public const string Skipped = "skipped";
    public const string Failed = "failed";
    public const string Conflict = "conflict";

    /// <summary>The status of an archived object that is being restored.</summary>
    public const string Restoring = "restoring";

    /// <summary>The status of a job's object whose target was already there.</summary>
    public const string Already = "already";

    /// <summary>The status of a job's object without a result.</summary>
    public const string Missing = "missing";

    /// <summary>Gets when the object ended, in UTC. The report sets it.</summary>
    public DateTime Time { get; init; }

    /// <summary>Gets the command. The report sets it.</summary>
    public string? Command { get; init; }

    /// <summary>Gets what was done or tried: copy, replace, move, or delete; null if it was not decided.</summary>
    public string? Operation { get; init; }

    /// <summary>Gets how it ended: one of the constants.</summary>
    public required string Status { get; init; }

    public string? Source { get; init; }

    public string? Target { get; init; }

    public string? VersionId { get; init; }

    /// <summary>Gets the size of the object, in bytes.</summary>
    public long? Bytes { get; init; }

    /// <summary>Gets the ETag of the source object, which was read.</summary>
    [JsonPropertyName("source_etag")]
    public string? SourceETag { get; init; }

    /// <summary>Gets the ETag of the target object before it was replaced or deleted.</summary>
    [JsonPropertyName("target_etag_before")]
    public string? TargetETagBefore { get; init; }

    /// <summary>Gets the ETag of the target object that was written.</summary>
    [JsonPropertyName("target_etag")]
    public string? TargetETag { get; init; }

    public ChecksumJson? Checksum { get; init; }

    /// <summary>Gets the names of the properties of the source that the target doesn't have.</summary>
    public IReadOnlyList<string>? Lost { get; init; }

    /// <summary>Gets why a synchronization did it, or why an object was not copied.</summary>
    public string? Reason { get; init; }

    public string? Error { get; init; }

    public string? RequestId { get; init; }

    public long? Requests { get; init; }

    public long? Retries { get; init; }

    public double? Seconds { get; init; }
}
