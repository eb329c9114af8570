namespace Transfer.Cli.Bench.Results;

/// <summary>The machine that measured.</summary>
/// <param name="Cores">Processors that the process may use.</param>
/// <param name="CpuSaturated">Whether in any setting this process's own processor time was what limited it: then the store may be able to do more than was measured.</param>
/// <param name="MemoryLimitBytes">What --memory said; null where it was left open.</param>
/// <param name="Os">The operating system.</param>
/// <param name="Runtime">The version of .NET.</param>
internal sealed record BenchClient(int Cores, bool CpuSaturated, long? MemoryLimitBytes, string Os, string Runtime);
