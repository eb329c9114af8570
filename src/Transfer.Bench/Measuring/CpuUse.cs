namespace Transfer.S3.Bench.Measuring;

/// <summary>Processor time, and the time in which it was used.</summary>
/// <param name="Cpu">The processor time of the process.</param>
/// <param name="Elapsed">The elapsed time.</param>
/// <param name="Cores">The number of available processors.</param>
internal readonly record struct CpuUse(TimeSpan Cpu, TimeSpan Elapsed, int Cores)
{
    /// <summary>The share of processor time from which the processor counts as the bottleneck. It is below 1 because threads are never busy all the time.</summary>
    public const double SaturatedPercent = 85;

    public double UsedPercent => Elapsed > TimeSpan.Zero ? Cpu / (Elapsed * Cores) * 100 : 0;

    public bool IsSaturated => UsedPercent >= SaturatedPercent;
}
