using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Tests.Bench;

/// <summary>A process whose resource usage the test sets.</summary>
internal sealed class FakeProcess : IProcessProbe
{
    public int Cores { get; init; } = 2;

    public TimeSpan CpuTime { get; set; }

    public long MemoryBytes { get; set; }

    public long PeakMemoryBytes { get; set; }
}
