namespace Transfer.Cli.Bench.Results;

/// <summary>What one setting came to, over all of its runs. Rates are means of the runs' rates; latencies and counts are of all runs together.</summary>
internal sealed record SettingResult
{
    /// <summary>Null where the operation has no parts.</summary>
    public required long? PartSizeBytes { get; init; }

    /// <summary>Requests at once; null for auto, where the engine decides.</summary>
    public required int? Concurrency { get; init; }

    /// <summary>Objects under way at once.</summary>
    public required int Workers { get; init; }

    public required IReadOnlyList<RunResult> Runs { get; init; }

    public required double ThroughputMibPerSecond { get; init; }

    public required double ThroughputMinMibPerSecond { get; init; }

    public required double ThroughputMaxMibPerSecond { get; init; }

    /// <summary>The same in 10^9 bits a second.</summary>
    public required double ThroughputGigabitsPerSecond { get; init; }

    public required double RequestsPerSecond { get; init; }

    public required double RequestsMinPerSecond { get; init; }

    public required double RequestsMaxPerSecond { get; init; }

    public required double ObjectsPerSecond { get; init; }

    /// <summary>The runs' times together, in seconds.</summary>
    public required double Seconds { get; init; }

    public required LatencyResult? FirstByteMs { get; init; }

    public required LatencyResult? LatencyMs { get; init; }

    /// <summary>The same by kind of request.</summary>
    public required IReadOnlyList<RequestResult> Requests { get; init; }

    public required long Retries { get; init; }

    public required long Errors { get; init; }

    /// <summary>Null where no bytes were moved.</summary>
    public required double? CpuSecondsPerGib { get; init; }

    /// <summary>This process's processor time, of what all cores had to give in that time.</summary>
    public required double CpuUsedPercent { get; init; }

    public required bool CpuSaturated { get; init; }

    /// <summary>The most memory that the process was seen to hold in any of the runs.</summary>
    public required long PeakMemoryBytes { get; init; }

    public bool Best { get; init; }

    public bool Knee { get; init; }

    /// <summary>The rate that settings are ranked by.</summary>
    public double RateBy(string metric) => metric == Metrics.Requests ? RequestsPerSecond : ThroughputMibPerSecond;

    /// <summary>That of the slowest run.</summary>
    public double RateMinBy(string metric) => metric == Metrics.Requests ? RequestsMinPerSecond : ThroughputMinMibPerSecond;

    /// <summary>That of the fastest run.</summary>
    public double RateMaxBy(string metric) => metric == Metrics.Requests ? RequestsMaxPerSecond : ThroughputMaxMibPerSecond;
}
