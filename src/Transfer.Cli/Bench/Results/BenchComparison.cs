namespace Transfer.Cli.Bench.Results;

/// <summary>This result beside an older one.</summary>
/// <param name="BaselineStartedAt">When the older one was measured.</param>
/// <param name="BaselineEngine">What it was measured with.</param>
/// <param name="ConfidencePercent">Confidence of the intervals.</param>
/// <param name="Settings">Of each setting that both have.</param>
internal sealed record BenchComparison(DateTimeOffset BaselineStartedAt, string BaselineEngine, double ConfidencePercent, IReadOnlyList<SettingComparison> Settings);
