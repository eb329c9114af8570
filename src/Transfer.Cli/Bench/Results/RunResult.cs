namespace Transfer.Cli.Bench.Results;

/// <summary>One run of one setting.</summary>
internal sealed record RunResult
{
    /// <summary>Counted from 1.</summary>
    public required int Run { get; init; }

    /// <summary>False where it was interrupted.</summary>
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

    /// <summary>The rate over time, in order. A long run has longer intervals and not more of them.</summary>
    public required IReadOnlyList<RateSample> Samples { get; init; }

    /// <summary>The rate that runs are compared by.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;
}
