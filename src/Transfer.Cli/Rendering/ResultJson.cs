using System.Text.Json.Serialization;

namespace Transfer.Cli.Rendering;

/// <summary>The object that --json ends with. Its names are part of the tool's contract.</summary>
internal sealed record ResultJson
{
    public required string Operation { get; init; }

    public required long Bytes { get; init; }

    /// <summary>Where an interrupted copy was gone on with.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long ResumedBytes { get; init; }

    /// <summary>Where something is left to go on with.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long KeptBytes { get; init; }

    public required long Objects { get; init; }

    public required long Failed { get; init; }

    public required double Seconds { get; init; }

    public required double MibPerSecond { get; init; }

    public required long Requests { get; init; }

    public required long Retries { get; init; }

    public required long Hedged { get; init; }

    public required long PeakBufferBytes { get; init; }

    /// <summary>Of a copy: what limited its speed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? LimitedBy { get; init; }

    /// <summary>Of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TimeJson? Time { get; init; }

    /// <summary>Of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ConcurrencyJson? Concurrency { get; init; }

    public required ChecksumJson Checksum { get; init; }

    /// <summary>Of a comparison of many alone.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ComparedJson? Compared { get; init; }

    public required IReadOnlyList<ErrorJson> Errors { get; init; }
}
