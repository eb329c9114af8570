namespace Transfer.S3.Bench.Results;

/// <summary>The result of one setting over all of its runs. Rates are means over the runs. Latencies and counts are for all runs together.</summary>
internal sealed record SettingResult
{
    /// <summary>Gets the part size; null if the operation has no parts.</summary>
    public required long? PartSizeBytes { get; init; }

    /// <summary>Gets the concurrency; null for auto.</summary>
    public required int? Concurrency { get; init; }

    /// <summary>Gets the number of concurrent objects.</summary>
    public required int Workers { get; init; }

    public required IReadOnlyList<RunResult> Runs { get; init; }

    public required double ThroughputMibPerSecond { get; init; }

    public required double ThroughputMinMibPerSecond { get; init; }

    public required double ThroughputMaxMibPerSecond { get; init; }

    /// <summary>Gets the throughput in gigabits (10^9 bits) per second.</summary>
    public required double ThroughputGigabitsPerSecond { get; init; }

    public required double RequestsPerSecond { get; init; }

    public required double RequestsMinPerSecond { get; init; }

    public required double RequestsMaxPerSecond { get; init; }

    public required double ObjectsPerSecond { get; init; }

    /// <summary>Gets the total time of the runs, in seconds.</summary>
    public required double Seconds { get; init; }

    public required LatencyResult? FirstByteMs { get; init; }

    public required LatencyResult? LatencyMs { get; init; }

    /// <summary>Gets the latencies by kind of request.</summary>
    public required IReadOnlyList<RequestResult> Requests { get; init; }

    public required long Retries { get; init; }

    public required long Errors { get; init; }

    /// <summary>Gets the processor time per GiB; null if no content was transferred.</summary>
    public required double? CpuSecondsPerGib { get; init; }

    /// <summary>Gets the processor time of this process, in percent of all cores.</summary>
    public required double CpuUsedPercent { get; init; }

    public required bool CpuSaturated { get; init; }

    /// <summary>Gets the peak memory of the process in all runs.</summary>
    public required long PeakMemoryBytes { get; init; }

    public bool Best { get; init; }

    public bool Knee { get; init; }

    /// <summary>Gets the rate that ranks settings.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;

    /// <summary>Gets the rate of the slowest run.</summary>
    public double RateMinBy(string metric) => metric == Metrics.Requests ? RequestsMinPerSecond : ThroughputMinMibPerSecond;

    /// <summary>Gets the rate of the fastest run.</summary>
    public double RateMaxBy(string metric) => metric == Metrics.Requests ? RequestsMaxPerSecond : ThroughputMaxMibPerSecond;
}
