using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>How one item of a job ended: a line of the results and of the report. The tool's --report has the same fields.</summary>
internal sealed record JobLine
{
    public const string Done = "done";

    /// <summary>The target was already what this item makes, because an attempt whose result is lost made it.</summary>
    public const string Already = "already";
    public const string Failed = "failed";
    public const string Conflict = "conflict";

    /// <summary>Some parts of a huge object are done, and the item isn't yet.</summary>
    public const string Part = "part";

    /// <summary>A multipart upload was open when results were written.</summary>
    public const string Open = "open";

    /// <summary>All parts of an object are there, and it isn't published, because others aren't ready.</summary>
    public const string Ready = "ready";

    /// <summary>There is no result.</summary>
    public const string Missing = "missing";
    private const string DefaultCommand = "run";

    public DateTime Time { get; init; }

    public string Command { get; init; } = DefaultCommand;

    public string? Operation { get; init; }

    public required string Status { get; init; }

    public string? Source { get; init; }

    public string? Target { get; init; }

    public long? Bytes { get; init; }

    [JsonPropertyName("source_etag")]
    public string? SourceETag { get; init; }

    /// <summary>Gets the version of the source, if the plan names it.</summary>
    public string? VersionId { get; init; }

    [JsonPropertyName("target_etag_before")]
    public string? TargetETagBefore { get; init; }

    [JsonPropertyName("target_etag")]
    public string? TargetETag { get; init; }

    /// <summary>Gets the state in which the file of a local target got its name; null for an object, and if it isn't known. The report doesn't have it.</summary>
    public JobTarget? File { get; init; }

    public JobChecksum? Checksum { get; init; }

    public IReadOnlyList<string>? Lost { get; init; }

    public string? Reason { get; init; }

    public string? Error { get; init; }

    public string? RequestId { get; init; }

    public double? Seconds { get; init; }

    /// <summary>Gets the number of the item in its shard, from 0.</summary>
    public long? Item { get; init; }

    /// <summary>Gets the index of the shard.</summary>
    public int? Shard { get; init; }

    /// <summary>Gets a value that indicates whether the item needs no other attempt.</summary>
    [JsonIgnore]
    public bool IsDone => Status is Done or Already;

    /// <summary>Gets the mark of the upload of <see cref="Parts"/>, or the ID of an open upload.</summary>
    public string? Upload { get; init; }

    /// <summary>Gets the parts of a huge object that the store has.</summary>
    public IReadOnlyList<JobPart>? Parts { get; init; }

    /// <summary>Gets the number of bytes that an earlier attempt has copied.</summary>
    [JsonIgnore]
    public long Resumed { get; init; }

    /// <summary>Gets the line of an item.</summary>
    public static JobLine From(JobItem item, JobPlan plan, string status) => new()
    {
        Status = status,
        Operation = item.Target is null ? "copy" : "replace",
        Source = plan.Source.GetAddress(item.Name),
        Target = plan.Target.GetAddress(item.Name),
        Bytes = item.CopiedBytes,
        SourceETag = item.ETag,
        VersionId = item.Version,
        TargetETagBefore = item.Target?.ETag,
    };

    /// <summary>Gets the failure that the line says. Its item is not done.</summary>
    public JobFailure ToFailure() => new() { Name = Target!, IsConflict = Status == Conflict, Message = Error ?? string.Empty };

    /// <summary>Gets the line with an error.</summary>
    public JobLine With(Exception error, string status) => this with
    {
        Status = status,
        Error = error.Message,
        RequestId = (error as TransferException)?.RequestId,
        Checksum = error is ChecksumMismatchException mismatch ? JobChecksum.From(mismatch) : null,
    };
}
