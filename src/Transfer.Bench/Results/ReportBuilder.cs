using System.Reflection;
using System.Runtime.InteropServices;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Bench.Results;

/// <summary>Builds the report from the measurements.</summary>
internal static class ReportBuilder
{
    private const double MiB = 1 << 20;
    private const double GiB = 1 << 30;

    public static string ToolVersion { get; } = typeof(ReportBuilder).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? string.Empty;

    public static BenchReport Build(
        SweepPlan plan, ObjectSet objects, IReadOnlyList<SettingMeasurement> measured, BenchCircumstances circumstances, bool interrupted, IReadOnlyList<BenchError> errors)
    {
        string metric = plan.Operation.Metric;
        (IReadOnlyList<SettingResult> settings, SettingResult? knee) = Knee.Mark([.. measured.Select(ToResult)], metric);
        BenchReport report = new()
        {
            Version = BenchReport.CurrentVersion,
            Operation = plan.Operation.Name,
            Engine = plan.Engine == EngineKind.Sdk ? "sdk" : "transfer",
            StartedAt = circumstances.StartedAt,
            ToolVersion = ToolVersion,
            Store = circumstances.Store,
            Objects = objects.ToResult(),
            Client = new BenchClient(
                circumstances.Cores,
                settings.Any(setting => setting.CpuSaturated),
                circumstances.MemoryLimitBytes,
                RuntimeInformation.OSDescription,
                Environment.Version.ToString()),
            Metric = metric,
            PacedObjectsPerSecond = plan.ObjectsPerSecond,
            LatencyPrecisionPercent = LatencyBuckets.PrecisionPercent,
            Settings = settings,
            Knee = knee is null ? null : new BenchKnee(knee.PartSizeBytes, knee.Concurrency),
            Advice = knee is null ? null : new Setting(knee.PartSizeBytes, knee.Concurrency).ToString(),
            Interrupted = interrupted,
            Errors = errors,
        };
        return circumstances.Baseline is { } baseline ? report with { Comparison = Comparison.Compare(baseline, report) } : report;
    }

    public static RunResult ToResult(RunMeasurement run, int number) => new()
    {
        Run = number,
        Complete = run.IsComplete,
        Seconds = Math.Round(run.Elapsed.TotalSeconds, 6),
        Bytes = run.Bytes,
        Objects = run.Objects,
        Requests = run.Requests,
        ThroughputMibPerSecond = PerSecond(run.Bytes / MiB, run),
        RequestsPerSecond = PerSecond(run.Requests, run),
        FirstByteMs = Merge([run], kind => kind.FirstByte),
        LatencyMs = Merge([run], kind => kind.Latency),
        Retries = run.Retries,
        Errors = run.Errors,
        CpuSeconds = Math.Round(run.Cpu.Cpu.TotalSeconds, 6),
        CpuUsedPercent = Math.Round(run.Cpu.UsedPercent, 1),
        PeakMemoryBytes = run.PeakMemoryBytes,
        Samples = run.Samples,
    };

    public static SettingResult ToResult(SettingMeasurement measured)
    {
        IReadOnlyList<RunMeasurement> runs = measured.Runs;
        RunResult[] results = [.. runs.Select((run, index) => ToResult(run, index + 1))];

        // An interrupted run only counts if there is no other one.
        RunResult[] rated = [.. results.Where(run => run.Complete)];
        rated = rated.Length > 0 ? rated : results;
        double throughput = rated.Average(run => run.ThroughputMibPerSecond);
        CpuUse cpu = new(Sum(runs.Select(run => run.Cpu.Cpu)), Sum(runs.Select(run => run.Elapsed)), runs[0].Cpu.Cores);
        double gib = runs.Sum(run => run.Bytes) / GiB;
        return new SettingResult
        {
            PartSizeBytes = measured.Setting.PartSizeBytes,
            Concurrency = measured.Setting.Concurrency,
            Workers = measured.Workers,
            Runs = results,
            ThroughputMibPerSecond = Math.Round(throughput, 3),
            ThroughputMinMibPerSecond = rated.Min(run => run.ThroughputMibPerSecond),
            ThroughputMaxMibPerSecond = rated.Max(run => run.ThroughputMibPerSecond),
            ThroughputGigabitsPerSecond = Math.Round(throughput * MiB * 8 / 1e9, 6),
            RequestsPerSecond = Math.Round(rated.Average(run => run.RequestsPerSecond), 3),
            RequestsMinPerSecond = rated.Min(run => run.RequestsPerSecond),
            RequestsMaxPerSecond = rated.Max(run => run.RequestsPerSecond),
            ObjectsPerSecond = Math.Round(rated.Average(run => run.Seconds > 0 ? run.Objects / run.Seconds : 0), 3),
            Seconds = Math.Round(cpu.Elapsed.TotalSeconds, 6),
            FirstByteMs = Merge(runs, kind => kind.FirstByte),
            LatencyMs = Merge(runs, kind => kind.Latency),
            Requests = ByKind(runs),
            Retries = runs.Sum(run => run.Retries),
            Errors = runs.Sum(run => run.Errors),
            CpuSecondsPerGib = gib > 0 ? Math.Round(cpu.Cpu.TotalSeconds / gib, 4) : null,
            CpuUsedPercent = Math.Round(cpu.UsedPercent, 1),
            CpuSaturated = cpu.IsSaturated,
            PeakMemoryBytes = runs.Max(run => run.PeakMemoryBytes),
        };
    }

    private static IReadOnlyList<RequestResult> ByKind(IReadOnlyList<RunMeasurement> runs) =>
    [
        .. runs.SelectMany(run => run.ByKind.Keys).Distinct().Order().Select(kind =>
        {
            RunMeasurement[] with = [.. runs.Where(run => run.ByKind.ContainsKey(kind))];
            return new RequestResult(
                kind.ToString(),
                with.Sum(run => run.ByKind[kind].Latency.Count),
                Merge(with.Select(run => run.ByKind[kind].FirstByte)),
                Merge(with.Select(run => run.ByKind[kind].Latency)));
        }),
    ];

    private static LatencyResult? Merge(IReadOnlyList<RunMeasurement> runs, Func<(LatencyHistogram FirstByte, LatencyHistogram Latency), LatencyHistogram> which)
        => Merge(runs.SelectMany(run => run.ByKind.Values).Select(which));

    private static LatencyResult? Merge(IEnumerable<LatencyHistogram> histograms)
    {
        LatencyHistogram all = new();
        foreach (LatencyHistogram histogram in histograms)
        {
            all.Add(histogram);
        }

        return all.ToResult();
    }

    private static double PerSecond(double amount, RunMeasurement run) => run.Elapsed > TimeSpan.Zero ? Math.Round(amount / run.Elapsed.TotalSeconds, 3) : 0;

    private static TimeSpan Sum(IEnumerable<TimeSpan> times) => times.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);
}
