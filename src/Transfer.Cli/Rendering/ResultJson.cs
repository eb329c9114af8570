using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The result that --json writes. Scripts rely on its names.</summary>
internal sealed record ResultJson
{
    public required string Operation { get; init; }

    public required long Bytes { get; init; }

    /// <summary>Gets the bytes that an interrupted copy had transferred, if this copy resumed it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long ResumedBytes { get; init; }

    /// <summary>Gets the bytes that the same command can resume, if there are any.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long KeptBytes { get; init; }

    public required long Objects { get; init; }

    public required long Failed { get; init; }

    /// <summary>Gets the number of objects that were skipped because they are archived, if there are any.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Archived { get; init; }

    /// <summary>Gets the number of archived objects that are being restored, if there are any.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Restoring { get; init; }

    public required double Seconds { get; init; }

    public required double MibPerSecond { get; init; }

    public required long Requests { get; init; }

    public required long Retries { get; init; }

    public required long Hedged { get; init; }

    public required long PeakBufferBytes { get; init; }

    /// <summary>Gets what limited the speed of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? LimitedBy { get; init; }

    /// <summary>Gets where the time of a copy went.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TimeJson? Time { get; init; }

    /// <summary>Gets the concurrency at the end of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ConcurrencyJson? Concurrency { get; init; }

    public required ChecksumJson Checksum { get; init; }

    /// <summary>Gets the properties that copies don't have.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LostJson? Lost { get; init; }

    /// <summary>Gets the result of the comparison of a folder.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ComparedJson? Compared { get; init; }

    /// <summary>Gets what a synchronization did.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SyncedJson? Synced { get; init; }

    public required IReadOnlyList<ErrorJson> Errors { get; init; }
}
