namespace Transfer.S3.Bench.Results;

/// <summary>A distribution of latencies, in milliseconds.</summary>
/// <param name="Min">The minimum. Like the mean and the maximum, it is exact.</param>
/// <param name="Mean">The mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P95">The 95th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="P999">The 99.9th percentile.</param>
/// <param name="Max">The maximum.</param>
internal sealed record LatencyResult(double Min, double Mean, double P50, double P90, double P95, double P99, double P999, double Max);
