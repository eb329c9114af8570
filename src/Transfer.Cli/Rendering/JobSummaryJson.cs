using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of finish with --json. Scripts rely on its names.</summary>
internal sealed record JobSummaryJson(
    string Operation,
    bool IsComplete,
    long Objects,
    long Done,
    long Already,
    long Conflicts,
    long Failed,
    long Missing,
    IReadOnlyList<int> MissingShards,
    long Changed,
    long Refused,
    long Deleted,
    long NotDeleted,
    long Withheld,
    long Bytes,
    long AbortedUploads,
    long OtherUploads,
    long DamagedLines,
    IReadOnlyList<JobFailureJson> Failures,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] long Completions,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] long Unpublished,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] double? PublishSeconds,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] StoreUsageJson? Estimate)
{
    public static JobSummaryJson From(JobSummary one, StoreUsageJson? estimate) => new(
        "finish",
        one.IsComplete,
        one.Items,
        one.Done,
        one.Already,
        one.Conflicts,
        one.Failed,
        one.Missing,
        one.MissingShards,
        one.Changed,
        one.Refused,
        one.Deleted,
        one.NotDeleted,
        one.Withheld,
        one.Bytes,
        one.AbortedUploads,
        one.OtherUploads,
        one.DamagedLines,
        JobFailureJson.From(one.Failures),
        one.Completions,
        one.Unpublished,
        one.PublishWindow is { } window ? Math.Round(window.TotalSeconds, 3) : null,
        estimate);
}
