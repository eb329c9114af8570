namespace Transfer.S3.Bench.Results;

/// <summary>The machine of the benchmark.</summary>
/// <param name="Cores">The number of available processors.</param>
/// <param name="CpuSaturated">Whether the processor time of this process limited any setting, so that the store may be faster than measured.</param>
/// <param name="MemoryLimitBytes">The value of --memory; null if it isn't specified.</param>
/// <param name="Os">The operating system.</param>
/// <param name="Runtime">The version of .NET.</param>
internal sealed record BenchClient(int Cores, bool CpuSaturated, long? MemoryLimitBytes, string Os, string Runtime);
