namespace Transfer.S3.Bench.Demo;

/// <summary>What a process of the demonstration has measured.</summary>
/// <param name="Seconds">The time of the transfer.</param>
/// <param name="CpuSeconds">The processor time of the process during the transfer.</param>
/// <param name="PeakMemoryBytes">The peak of the memory of the process, including the warm-up.</param>
/// <param name="Verified">What was compared with a checksum of the store: "yes" for the whole content, "parts" for each part of it, or "no".</param>
internal sealed record ContenderResult(double Seconds, double CpuSeconds, long PeakMemoryBytes, string Verified = "no");
