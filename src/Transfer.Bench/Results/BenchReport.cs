using System.Text.Json.Serialization;

namespace Transfer.S3.Bench.Results;

/// <summary>
/// The complete result of <c>transfer bench</c>: <c>--json</c> writes it, <c>--compare</c> reads it, and all other outputs are created from it. Scripts rely on its
/// names; docs/bench-json.md describes them.
/// </summary>
internal sealed record BenchReport
{
    /// <summary>The version that this tool writes. It changes when a name is removed or changes its meaning, not when one is added.</summary>
    public const int CurrentVersion = 1;

    public required int Version { get; init; }

    /// <summary>Gets the operation: head, get, put, small, or mixed.</summary>
    public required string Operation { get; init; }

    /// <summary>Gets the engine: transfer for this library, or sdk for the TransferUtility of the AWS SDK.</summary>
    public required string Engine { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string ToolVersion { get; init; }

    /// <summary>Gets the URL of the store, or Amazon S3 and the region.</summary>
    public required string Store { get; init; }

    public required BenchObjects Objects { get; init; }

    public required BenchClient Client { get; init; }

    /// <summary>Gets the field that ranks the settings: throughput_mib_per_second, or requests_per_second for operations on little content.</summary>
    public required string Metric { get; init; }

    /// <summary>Gets the rate at which objects were started; null if each was started after another one.</summary>
    public double? PacedObjectsPerSecond { get; init; }

    /// <summary>Gets the maximum error of percentiles, in percent.</summary>
    public required double LatencyPrecisionPercent { get; init; }

    /// <summary>Gets the results of the settings, in the order in which they were measured.</summary>
    public required IReadOnlyList<SettingResult> Settings { get; init; }

    /// <summary>Gets the setting with the lowest concurrency that is within 5% of the best; null if no transfer succeeded.</summary>
    public BenchKnee? Knee { get; init; }

    /// <summary>Gets the knee as command-line options; null if no transfer succeeded.</summary>
    public string? Advice { get; init; }

    /// <summary>Gets the result of --compare; null without it.</summary>
    public BenchComparison? Comparison { get; init; }

    /// <summary>Gets a value that indicates whether the benchmark was interrupted, so that <see cref="Settings"/> are incomplete.</summary>
    public required bool Interrupted { get; init; }

    public required IReadOnlyList<BenchError> Errors { get; init; }

    [JsonIgnore]
    public bool IsByRequests => Metric == Metrics.Requests;
}
