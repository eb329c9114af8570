using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Measuring;

/// <summary>The measurements of one run.</summary>
internal sealed record RunMeasurement
{
    /// <summary>Gets a value that indicates whether the run was completed, not interrupted.</summary>
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
