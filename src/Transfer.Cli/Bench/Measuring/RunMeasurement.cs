using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Measuring;

/// <summary>What one run was measured as.</summary>
internal sealed record RunMeasurement
{
    /// <summary>False where it was interrupted.</summary>
    public bool IsComplete { get; init; } = true;

    public required TimeSpan Elapsed { get; init; }

    public required long Bytes { get; init; }

    public required long Objects { get; init; }

    public required long Requests { get; init; }

    public required long Retries { get; init; }

    public required long Errors { get; init; }

    public required CpuUse Cpu { get; init; }

    public required long PeakMemoryBytes { get; init; }

    public required IReadOnlyDictionary<RequestKind, (LatencyHistogram FirstByte, LatencyHistogram Latency)> ByKind { get; init; }

    public required IReadOnlyList<RateSample> Samples { get; init; }
}
