using System.Text.Json.Serialization;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Results;

/// <summary>
/// Everything that a run of <c>transfer bench</c> tells: what <c>--json</c> writes, what <c>--compare</c> reads and what every other form of the result is
/// made of. Its names are part of the tool's contract; docs/bench-json.md says what each of them means.
/// </summary>
internal sealed record BenchReport
{
    /// <summary>The version that this tool writes. It grows where a name goes away or changes its meaning, and not where one is added.</summary>
    public const int CurrentVersion = 1;

    public required int Version { get; init; }

    /// <summary>head, get, put, small or mixed.</summary>
    public required string Operation { get; init; }

    /// <summary>transfer for this library, sdk for AWSSDK's TransferUtility.</summary>
    public required string Engine { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string ToolVersion { get; init; }

    /// <summary>The store's address, or Amazon S3 and the region.</summary>
    public required string Store { get; init; }

    public required BenchObjects Objects { get; init; }

    public required BenchClient Client { get; init; }

    /// <summary>The field of a setting that decides which one is the best: throughput_mib_per_second, or requests_per_second where objects have no bytes to speak of.</summary>
    public required string Metric { get; init; }

    /// <summary>How many objects were begun a second; null where each was begun as soon as another was done.</summary>
    public double? PacedObjectsPerSecond { get; init; }

    /// <summary>Most that a percentile differs from the exact one, in percent of it.</summary>
    public required double LatencyPrecisionPercent { get; init; }

    /// <summary>In the order in which they were measured.</summary>
    public required IReadOnlyList<SettingResult> Settings { get; init; }

    /// <summary>The smallest concurrency that is within 5 % of the best; null where nothing came through.</summary>
    public BenchKnee? Knee { get; init; }

    /// <summary>The knee as options that can be pasted; null where nothing came through.</summary>
    public string? Advice { get; init; }

    /// <summary>What --compare found; null without it.</summary>
    public BenchComparison? Comparison { get; init; }

    /// <summary>Whether it was interrupted, so that <see cref="Settings"/> are not all that was asked for.</summary>
    public required bool Interrupted { get; init; }

    public required IReadOnlyList<ErrorJson> Errors { get; init; }

    [JsonIgnore]
    public bool IsByRequests => Metric == Metrics.Requests;
}
