namespace Transfer.S3.Bench.Results;

/// <summary>The context of a benchmark, for its report.</summary>
/// <param name="StartedAt">When the benchmark was started.</param>
/// <param name="Store">The store.</param>
/// <param name="Cores">The number of available processors.</param>
/// <param name="MemoryLimitBytes">The value of --memory; null if it isn't specified.</param>
/// <param name="Baseline">An earlier report to compare with.</param>
internal sealed record BenchCircumstances(DateTimeOffset StartedAt, string Store, int Cores, long? MemoryLimitBytes, BenchReport? Baseline);
