using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Results;

namespace Transfer.S3.Tests.Bench;

public sealed class RunMeterTests
{
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);
    private readonly FakeTimeProvider _time = new();
    private readonly FakeProcess _process = new();

    [Fact]
    public void Observe_FailedRequest_CountsButIsInNoPercentile()
    {
        RunMeter meter = new(_time, _process);

        meter.Observe(Timing(3, 5));
        meter.Observe(Timing(100, 100) with { Error = new IOException() });
        meter.Observe(Timing(100, 100) with { Error = new OperationCanceledException() });

        RunMeasurement run = meter.Stop();
        (LatencyHistogram first, LatencyHistogram whole) = run.ByKind[RequestKind.GetObject];
        Assert.EachEqual((2, 1, 3_000_000, 5_000_000), (run.Requests, whole.Count, first.Max, whole.Max));
    }

    [Fact]
    public async Task Observe_ObjectStartsLate_TimeCountsFromWhenItWasDue()
    {
        RunMeter meter = new(_time, _process);

        await Task.Run(() =>
        {
            ScheduleDelay.Value = 40 * Millisecond;
            meter.Observe(Timing(1, 2));
        }).Within();
        meter.Observe(Timing(1, 2));

        (LatencyHistogram first, LatencyHistogram whole) = meter.Stop().ByKind[RequestKind.GetObject];
        Assert.EachEqual((1_000_000, 41_000_000, 2_000_000, 42_000_000), (first.Min, first.Max, whole.Min, whole.Max));
    }

    [Fact]
    public void Stop_LaterRequestsDoNotCount()
    {
        RunMeter meter = new(_time, _process);
        meter.AddBytes(10);
        _time.Advance(TimeSpan.FromSeconds(2));
        RunMeasurement run = meter.Stop();

        _time.Advance(TimeSpan.FromSeconds(2));
        meter.AddBytes(10);
        meter.AddObject();
        meter.Observe(Timing(1, 1));
        meter.Sample();

        Assert.Same(run, meter.Stop());
        Assert.EachEqual((10, 0, 0, TimeSpan.FromSeconds(2)), (run.Bytes, run.Objects, run.Requests, run.Elapsed));
    }

    [Fact]
    public void Sample_KeepsThePeakMemoryAndTheRateOverTime()
    {
        RunMeter meter = new(_time, _process);
        foreach ((long bytes, long memory) in ((long, long)[])[(1 << 20, 50), (3 << 20, 90), (2 << 20, 20)])
        {
            _time.Advance(TimeSpan.FromMilliseconds(200));
            meter.AddBytes(bytes);
            _process.MemoryBytes = memory;
            meter.Sample();
        }

        RunMeasurement run = meter.Stop();
        Assert.Equal(90, run.PeakMemoryBytes);
        Assert.Equal([new RateSample(0.2, 5, 0), new RateSample(0.4, 15, 0), new RateSample(0.6, 10, 0)], run.Samples);
    }

    [Theory]
    [InlineData(1.5, 75, false)]
    [InlineData(1.7, 85, true)]
    public void Cpu_AllCoresBusy_IsTheLimit(double cpuSeconds, double percent, bool saturated)
    {
        _process.CpuTime = TimeSpan.FromSeconds(100);
        RunMeter meter = new(_time, _process);
        _process.CpuTime += TimeSpan.FromSeconds(cpuSeconds);
        _time.Advance(TimeSpan.FromSeconds(1));

        CpuUse cpu = meter.Stop().Cpu;
        Assert.Equal(percent, cpu.UsedPercent, 6);
        Assert.Equal(saturated, cpu.IsSaturated);
    }

    [Fact]
    public void History_LongRun_IsBoundedAndComplete()
    {
        RateHistory history = new();
        const int seconds = 10_000;
        for (int i = 1; i <= seconds; i++)
        {
            history.Add(TimeSpan.FromSeconds(i), (long)i << 20, i * 3);
        }

        IReadOnlyList<RateSample> rates = history.ToRates(TimeSpan.FromSeconds(seconds), (long)seconds << 20, seconds * 3);
        Assert.InRange(rates.Count, RateHistory.MaxSamples / 2, RateHistory.MaxSamples + 1);
        Assert.All(rates, rate => Assert.EachEqual((1.0, 3.0), (rate.ThroughputMibPerSecond, rate.RequestsPerSecond)));
        Assert.Equal(seconds, rates[^1].Seconds);
    }

    private static RequestTiming Timing(int firstByte, int duration) => new() { Kind = RequestKind.GetObject, FirstByte = firstByte * Millisecond, Duration = duration * Millisecond, Bytes = 1 };
}
