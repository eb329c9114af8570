using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Cli.Bench.Display;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Tests.Bench;

namespace Transfer.S3.Tests.Cli.Bench;

public sealed class LiveBenchViewTests : IDisposable
{
    private readonly StringWriter _error = new();
    private readonly FakeTimeProvider _time = new();
    private readonly BenchStatus _status = new(OperationKind.Get, new Setting(8 << 20, 4), 1, 6, 2, 3, new LoadPlan(2, 8, null, null));

    public void Dispose() => _error.Dispose();

    [Fact]
    public void Live_OverwritesItselfAndLeavesNothing()
    {
        LiveBenchView view = new(new ToolConsole(TextWriter.Null, _error) { IsUnicode = true });
        RunMeter meter = new(_time, new FakeProcess());
        meter.AddBytes(1 << 20);
        meter.AddObject();
        meter.AddObject();
        _time.Advance(TimeSpan.FromSeconds(1));
        view.Show(_status, meter);
        string first = _error.ToString();
        view.Show(_status, meter);
        view.Aside(() => _error.Write("message\n"));
        view.Dispose();
        view.Show(_status, meter);

        string[] lines = first.Split(Environment.NewLine);
        Assert.Equal("get --part-size 8MiB --concurrency 4, run 2 of 3, setting 2 of 6\e[K", lines[0]);
        Assert.Contains("2 of 8 objects, 0:03 left", lines[1], StringComparison.Ordinal);
        Assert.Equal("  now 1 MiB/s, average 1 MiB/s\e[K", lines[2]);
        Assert.Equal("  request latency -\e[K", lines[3]);
        Assert.Equal($"{first}\e[4A\r\e[J{first}\e[4A\r\e[Jmessage\n{first}\e[4A\r\e[J", _error.ToString());
    }

    [Fact]
    public void Live_LinesFitTheTerminal()
    {
        LiveBenchView view = new(new ToolConsole(TextWriter.Null, _error) { IsUnicode = true });
        RunMeter meter = new(_time, new FakeProcess());
        meter.Observe(new RequestTiming { Kind = RequestKind.GetObject, FirstByte = TimeSpan.FromSeconds(99), Duration = TimeSpan.FromSeconds(999), Bytes = 1 });
        view.Show(_status with { Run = 0, Setting = new Setting(long.MaxValue / 2, 1024), Load = new LoadPlan(2, null, TimeSpan.FromHours(20), null) }, meter);

        Assert.All(_error.ToString().Split(Environment.NewLine), line => Assert.InRange(CellText.Width(line.Replace("\e[K", string.Empty, StringComparison.Ordinal)), 0, 79));
        Assert.Contains("warm-up", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Plain_WritesALineEveryFewSeconds()
    {
        PlainBenchView view = new(_error, _time);
        RunMeter meter = new(_time, new FakeProcess());
        for (int i = 0; i < 50; i++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(200));
            meter.AddBytes(1 << 20);
            view.Show(_status, meter);
        }

        string[] lines = _error.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2, lines.Length);
        Assert.Equal("get --part-size 8MiB --concurrency 4, run 2 of 3, setting 2 of 6: now 5 MiB/s, average 5 MiB/s, 0 of 8 objects, -:-- left, request latency -", lines[0]);
    }
}
