namespace Transfer.S3.Bench.Measuring;

/// <summary>Measures this process.</summary>
internal sealed class ThisProcess : IProcessProbe
{
    public int Cores => Environment.ProcessorCount;

    public TimeSpan CpuTime => Environment.CpuUsage.TotalTime;

    public long MemoryBytes => Environment.WorkingSet;

    public long PeakMemoryBytes => PeakMemory.Bytes();
}
