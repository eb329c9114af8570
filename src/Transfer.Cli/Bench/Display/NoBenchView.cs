using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>Shows nothing.</summary>
internal sealed class NoBenchView : IBenchView
{
    public void Show(BenchStatus status, RunMeter meter)
    {
    }

    public void Dispose()
    {
    }
}
