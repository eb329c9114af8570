using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>A line every few seconds, for logs. A shorter run only has its summary.</summary>
internal sealed class PlainBenchView(TextWriter error, TimeProvider time) : IBenchView
{
    private readonly Lock _gate = new();
    private readonly StatusText _text = new();
    private long _last = time.GetTimestamp();

    public void Show(BenchStatus status, RunMeter meter)
    {
        lock (_gate)
        {
            string rates = _text.Rates(status, meter);
            if (time.GetElapsedTime(_last) >= PlainProgress.Interval)
            {
                _last = time.GetTimestamp();
                error.WriteLine($"{StatusText.Title(status)}: {rates}, {StatusText.Left(status, meter)}, {StatusText.Latency(meter)}");
            }
        }
    }

    public void Aside(Action write)
    {
        lock (_gate)
        {
            write();
        }
    }

    public void Dispose()
    {
    }
}
