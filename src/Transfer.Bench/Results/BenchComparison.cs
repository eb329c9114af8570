namespace Transfer.S3.Bench.Results;

/// <summary>The comparison with an earlier result.</summary>
/// <param name="BaselineStartedAt">When the earlier benchmark was started.</param>
/// <param name="BaselineEngine">The engine of the earlier benchmark.</param>
/// <param name="ConfidencePercent">The confidence level of the intervals.</param>
/// <param name="Settings">The comparison of each setting that is in both results.</param>
internal sealed record BenchComparison(DateTimeOffset BaselineStartedAt, string BaselineEngine, double ConfidencePercent, IReadOnlyList<SettingComparison> Settings);
