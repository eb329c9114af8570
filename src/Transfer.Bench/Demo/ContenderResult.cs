namespace Transfer.S3.Bench.Demo;

/// <summary>What a process of the demonstration has measured.</summary>
/// <param name="Seconds">The time of the transfer.</param>
/// <param name="CpuSeconds">The processor time of the process during the transfer.</param>
/// <param name="PeakMemoryBytes">The peak of the memory of the process, including the warm-up.</param>
internal sealed record ContenderResult(double Seconds, double CpuSeconds, long PeakMemoryBytes);
