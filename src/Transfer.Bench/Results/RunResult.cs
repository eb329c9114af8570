namespace Transfer.S3.Bench.Results;

/// <summary>The result of one run of a setting.</summary>
internal sealed record RunResult
{
    /// <summary>Gets the number of the run, from 1.</summary>
    public required int Run { get; init; }

    /// <summary>Gets a value that indicates whether the run was completed, not interrupted.</summary>
    public required bool Complete { get; init; }

    public required double Seconds { get; init; }

    public required long Bytes { get; init; }

    public required long Objects { get; init; }

    public required long Requests { get; init; }

    public required double ThroughputMibPerSecond { get; init; }

    public required double RequestsPerSecond { get; init; }

    public required LatencyResult? FirstByteMs { get; init; }

    public required LatencyResult? LatencyMs { get; init; }

    public required long Retries { get; init; }

    public required long Errors { get; init; }

    public required double CpuSeconds { get; init; }

    public required double CpuUsedPercent { get; init; }

    public required long PeakMemoryBytes { get; init; }

    /// <summary>Gets the rate over time. A longer run has longer intervals, not more of them.</summary>
    public required IReadOnlyList<RateSample> Samples { get; init; }

    /// <summary>Gets the rate that ranks runs.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;
}
