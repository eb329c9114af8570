namespace Transfer.S3.Bench.Workloads;

/// <summary>A complete run of a workload.</summary>
/// <param name="Run">The number of the run, from 1.</param>
/// <param name="Seconds">The elapsed time of all tasks together.</param>
/// <param name="ThroughputGigabitsPerSecond">The bytes of all tasks by the elapsed time.</param>
/// <param name="CpuSeconds">The processor time of this process.</param>
internal sealed record WorkloadRun(int Run, double Seconds, double ThroughputGigabitsPerSecond, double CpuSeconds);
