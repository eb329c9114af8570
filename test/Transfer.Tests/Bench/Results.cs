using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Tests.Bench;

/// <summary>Fabricated results of a benchmark.</summary>
internal static class Results
{
    public const long MiB = 1 << 20;

    /// <summary>Creates a setting with a run of one second for each rate in MiB/s.</summary>
    public static SettingMeasurement Setting(long? partSize, int? concurrency, params double[] rates)
        => new(new Setting(partSize, concurrency), 1, [.. rates.Select(rate => Run(rate))]);

    public static RunMeasurement Run(double rate, bool isComplete = true, int requests = 10, double cpuSeconds = 0.5)
    {
        LatencyRecorder recorder = new();
        for (int i = 1; i <= requests; i++)
        {
            recorder.Record(TimeSpan.FromMilliseconds(i));
        }

        LatencyHistogram latency = new();
        recorder.AddTo(latency);
        return new RunMeasurement
        {
            IsComplete = isComplete,
            Elapsed = TimeSpan.FromSeconds(1),
            Bytes = (long)(rate * MiB),
            Objects = 2,
            Requests = requests,
            Retries = 1,
            Errors = 0,
            Cpu = new CpuUse(TimeSpan.FromSeconds(cpuSeconds), TimeSpan.FromSeconds(1), 2),
            PeakMemoryBytes = (long)rate,
            ByKind = new Dictionary<RequestKind, (LatencyHistogram, LatencyHistogram)> { [RequestKind.GetObject] = (latency, latency) },
            Samples = [new RateSample(1, rate, requests)],
        };
    }

    public static BenchReport Report(OperationKind operation, BenchReport? baseline, params SettingMeasurement[] measured) => ReportBuilder.Build(
        new SweepPlan(operation, EngineKind.Transfer, [.. measured.Select(one => one.Setting)], 3, 2, null, null),
        new ObjectSet("bucket", "p/", false, [new StoredObject("p/a", 64 * MiB), new StoredObject("p/b", 32 * MiB)]),
        measured,
        new BenchCircumstances(DateTimeOffset.UnixEpoch, "http://127.0.0.1", 2, null, baseline),
        interrupted: false,
        Array.Empty<BenchError>());

    public static BenchReport Report(params SettingMeasurement[] measured) => Report(OperationKind.Get, null, measured);
}
