namespace Transfer.Cli.Bench.Results;

/// <summary>A distribution of times, in milliseconds.</summary>
/// <param name="Min">The shortest; exact, as are mean and max.</param>
/// <param name="Mean">The mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P90">90 % are no longer.</param>
/// <param name="P95">95 % are no longer.</param>
/// <param name="P99">99 % are no longer.</param>
/// <param name="P999">99.9 % are no longer.</param>
/// <param name="Max">The longest.</param>
internal sealed record LatencyResult(double Min, double Mean, double P50, double P90, double P95, double P99, double P999, double Max);
