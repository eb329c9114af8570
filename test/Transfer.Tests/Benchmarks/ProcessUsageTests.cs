using Transfer.S3.Benchmarks.Compare;

namespace Transfer.S3.Tests.Benchmarks;

public sealed class ProcessUsageTests
{
    [LinuxFact]
    public void OfThisProcess_OnLinux_CountsCpuTimeAndContextSwitches()
    {
        TimeSpan before = Environment.CpuUsage.TotalTime;
        ProcessUsage usage = ProcessUsage.OfThisProcess();
        TimeSpan after = Environment.CpuUsage.TotalTime;

        Assert.InRange(usage.CpuSeconds, before.TotalSeconds - 0.01, after.TotalSeconds + 0.01);
        Assert.True(usage.ContextSwitches > 0);
    }
}
