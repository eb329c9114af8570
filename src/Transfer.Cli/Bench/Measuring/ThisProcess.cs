namespace Transfer.Cli.Bench.Measuring;

/// <summary>This process, as the system accounts for it.</summary>
internal sealed class ThisProcess : IProcessProbe
{
    public int Cores => Environment.ProcessorCount;

    public TimeSpan CpuTime => Environment.CpuUsage.TotalTime;

    public long MemoryBytes => Environment.WorkingSet;
}
