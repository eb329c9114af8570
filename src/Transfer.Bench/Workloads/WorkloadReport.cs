using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Workloads;

/// <summary>The result of <c>transfer bench --workload --json</c>. Scripts rely on its names; docs/bench-json.md describes them.</summary>
internal sealed record WorkloadReport
{
    public const string OperationName = "workload";

    public required int Version { get; init; }

    /// <summary>Gets "workload". The other operations have another report.</summary>
    public required string Operation { get; init; }

    public required string Engine { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string ToolVersion { get; init; }

    public required string Store { get; init; }

    public required WorkloadDescription Workload { get; init; }

    public required BenchClient Client { get; init; }

    /// <summary>Gets the complete runs.</summary>
    public required IReadOnlyList<WorkloadRun> Runs { get; init; }

    /// <summary>Gets the throughput of the runs; null if no run is complete.</summary>
    public required WorkloadStatistics? ThroughputGigabitsPerSecond { get; init; }

    public required WorkloadStatistics? Seconds { get; init; }

    public required WorkloadStatistics? CpuSeconds { get; init; }

    /// <summary>Gets the processor time for a GiB; null if nothing was transferred.</summary>
    public required double? CpuSecondsPerGib { get; init; }

    /// <summary>Gets the share of all cores that the runs used.</summary>
    public required double CpuUsedPercent { get; init; }

    /// <summary>Gets the peak of the physical memory since the start of the process, which includes --prepare.</summary>
    public required long PeakMemoryBytes { get; init; }

    public required bool Interrupted { get; init; }

    public required IReadOnlyList<BenchError> Errors { get; init; }
}
