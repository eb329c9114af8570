namespace Transfer.Cli.Bench.Measuring;

/// <summary>Processor time beside the time that it was used in.</summary>
/// <param name="Cpu">Processor time of the process.</param>
/// <param name="Elapsed">Time that went by.</param>
/// <param name="Cores">Processors that the process may use.</param>
internal readonly record struct CpuUse(TimeSpan Cpu, TimeSpan Elapsed, int Cores)
{
    /// <summary>From here on a process is taken to be its own limit: threads are never all busy to the last moment.</summary>
    public const double SaturatedPercent = 85;

    public double UsedPercent => Elapsed > TimeSpan.Zero ? Cpu / (Elapsed * Cores) * 100 : 0;

    public bool IsSaturated => UsedPercent >= SaturatedPercent;
}
