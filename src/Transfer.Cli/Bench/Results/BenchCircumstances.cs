namespace Transfer.Cli.Bench.Results;

/// <summary>What a report tells beside what was measured.</summary>
/// <param name="StartedAt">When it began.</param>
/// <param name="Store">Which store.</param>
/// <param name="Cores">Processors that the process may use.</param>
/// <param name="MemoryLimitBytes">What --memory said.</param>
/// <param name="Baseline">An older report to compare with.</param>
internal sealed record BenchCircumstances(DateTimeOffset StartedAt, string Store, int Cores, long? MemoryLimitBytes, BenchReport? Baseline);
