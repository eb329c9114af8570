using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Tests.Bench;

/// <summary>Fabricated reports of benchmarks, with realistic numbers.</summary>
internal static class SampleReports
{
    public const long MiB = 1 << 20;

    /// <summary>Creates a sweep of part sizes and concurrencies. The rate grows with both until it saturates.</summary>
    public static BenchReport Sweep(long?[] partSizes, int?[] concurrencies, int runs = 3, string operation = "get")
    {
        Random random = new(17);
        return Of(operation, [.. partSizes.SelectMany(_ => concurrencies, (size, concurrency) => Setting(size, concurrency, runs, random))]);
    }

    public static BenchReport Of(string operation, params SettingResult[] settings)
    {
        string metric = operation is "head" or "small" ? Metrics.Requests : Metrics.Throughput;
        (IReadOnlyList<SettingResult> marked, SettingResult? knee) = Knee.Mark(settings, metric);
        return new BenchReport
        {
            Version = BenchReport.CurrentVersion,
            Operation = operation,
            Engine = "transfer",
            StartedAt = DateTimeOffset.UnixEpoch,
            ToolVersion = "0.1.0",
            Store = "http://127.0.0.1:9000",
            Objects = new BenchObjects("bucket", "big/", Generated: false, 16, 256 * MiB, 1024 * MiB),
            Client = new BenchClient(8, CpuSaturated: marked.Any(setting => setting.CpuSaturated), null, "Linux", "10.0.0"),
            Metric = metric,
            LatencyPrecisionPercent = 0.8,
            Settings = marked,
            Knee = knee is null ? null : new BenchKnee(knee.PartSizeBytes, knee.Concurrency),
            Advice = knee is null ? null : new Setting(knee.PartSizeBytes, knee.Concurrency).ToString(),
            Interrupted = false,
            Errors = [],
        };
    }

    public static SettingResult Setting(long? partSize, int? concurrency, int runs, Random random)
    {
        double requests = concurrency ?? 16;
        double part = (partSize ?? (8 * MiB)) / (double)MiB;
        double rate = 1600 * requests / (requests + 1.5) * part / (part + 6) / (1 + (requests / 2000));
        return Setting(partSize, concurrency, [.. Enumerable.Range(1, runs).Select(run => Run(run, rate * (0.97 + (random.NextDouble() * 0.06)), part, requests, random))]);
    }

    public static SettingResult Setting(long? partSize, int? concurrency, params RunResult[] runs) => new()
    {
        PartSizeBytes = partSize,
        Concurrency = concurrency,
        Workers = 4,
        Runs = runs,
        ThroughputMibPerSecond = runs.Average(run => run.ThroughputMibPerSecond),
        ThroughputMinMibPerSecond = runs.Min(run => run.ThroughputMibPerSecond),
        ThroughputMaxMibPerSecond = runs.Max(run => run.ThroughputMibPerSecond),
        ThroughputGigabitsPerSecond = runs.Average(run => run.ThroughputMibPerSecond) * MiB * 8 / 1e9,
        RequestsPerSecond = runs.Average(run => run.RequestsPerSecond),
        RequestsMinPerSecond = runs.Min(run => run.RequestsPerSecond),
        RequestsMaxPerSecond = runs.Max(run => run.RequestsPerSecond),
        ObjectsPerSecond = 2,
        Seconds = runs.Sum(run => run.Seconds),
        FirstByteMs = runs[0].FirstByteMs,
        LatencyMs = runs[0].LatencyMs,
        Requests = [new RequestResult("GetObject", runs.Sum(run => run.Requests), runs[0].FirstByteMs, runs[0].LatencyMs)],
        Retries = runs.Sum(run => run.Retries),
        Errors = runs.Sum(run => run.Errors),
        CpuSecondsPerGib = runs.Sum(run => run.Bytes) > 0 ? 0.52 : null,
        CpuUsedPercent = 34,
        CpuSaturated = false,
        PeakMemoryBytes = 181 * MiB,
    };

    /// <summary>Creates a run without a successful transfer.</summary>
    public static RunResult Failed(int run) => Run(run, 0, 1, 1, new Random(17)) with { FirstByteMs = null, LatencyMs = null, Requests = 0, Errors = 12 };

    private static RunResult Run(int number, double rate, double part, double requests, Random random)
    {
        double median = rate > 0 ? 12 + (requests * part / rate * 1000) : 1;
        return new RunResult
        {
            Run = number,
            Complete = true,
            Seconds = 12,
            Bytes = (long)(rate * 12 * MiB),
            Objects = 24,
            Requests = (long)(rate * 12 / part),
            ThroughputMibPerSecond = rate,
            RequestsPerSecond = rate / part,
            FirstByteMs = Times(9 + (requests / 4)),
            LatencyMs = Times(median),
            Retries = number - 1,
            Errors = 0,
            CpuSeconds = 3,
            CpuUsedPercent = 34,
            PeakMemoryBytes = 181 * MiB,
            Samples = [.. Enumerable.Range(1, 60).Select(i => Sample(i * 0.2, rate * (i == 1 ? 0.4 : 0.85 + (random.NextDouble() * 0.3)), part))],
        };
    }

    private static RateSample Sample(double seconds, double rate, double part) => new(seconds, rate, rate / part);

    private static LatencyResult Times(double median) => new(median * 0.4, median * 1.1, median, median * 1.5, median * 1.8, median * 2.9, median * 6, median * 9);
}
