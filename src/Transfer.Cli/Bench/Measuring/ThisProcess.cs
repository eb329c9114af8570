using Transfer.S3.Cli.Demo;

namespace Transfer.S3.Cli.Bench.Measuring;

/// <summary>Measures this process.</summary>
internal sealed class ThisProcess : IProcessProbe
{
    public int Cores => Environment.ProcessorCount;

    public TimeSpan CpuTime => Environment.CpuUsage.TotalTime;

    public long MemoryBytes => Environment.WorkingSet;

    public long PeakMemoryBytes => PeakMemory.Bytes();
}
