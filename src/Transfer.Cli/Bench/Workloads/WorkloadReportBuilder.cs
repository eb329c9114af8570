using System.Runtime.InteropServices;
using Transfer.S3.Cli.Bench.Measuring;
using Transfer.S3.Cli.Bench.Operations;
using Transfer.S3.Cli.Bench.Results;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Workloads;

/// <summary>Sums up the runs of a workload.</summary>
internal static class WorkloadReportBuilder
{
    private const double GiB = 1 << 30;

    public static WorkloadReport Build(
        WorkloadSettings settings, IReadOnlyList<WorkloadRun> runs, IProcessProbe process, DateTimeOffset startedAt, string store, bool isInterrupted, IReadOnlyList<ErrorJson> errors)
    {
        double gib = settings.File.BytesPerRun * (double)runs.Count / GiB;
        CpuUse cpu = new(TimeSpan.FromSeconds(runs.Sum(run => run.CpuSeconds)), TimeSpan.FromSeconds(runs.Sum(run => run.Seconds)), process.Cores);
        return new WorkloadReport
        {
            Version = BenchReport.CurrentVersion,
            Operation = WorkloadReport.OperationName,
            Engine = settings.Engine == EngineKind.Sdk ? "sdk" : "transfer",
            StartedAt = startedAt,
            ToolVersion = ReportBuilder.ToolVersion,
            Store = store,
            Workload = WorkloadDescription.Of(settings.File, settings.Bucket),
            Client = new BenchClient(process.Cores, cpu.IsSaturated, settings.Limits.MemoryBytes, RuntimeInformation.OSDescription, RuntimeInformation.FrameworkDescription),
            Runs = runs,
            ThroughputGigabitsPerSecond = Of(runs, run => run.ThroughputGigabitsPerSecond),
            Seconds = Of(runs, run => run.Seconds),
            CpuSeconds = Of(runs, run => run.CpuSeconds),
            CpuSecondsPerGib = gib > 0 ? cpu.Cpu.TotalSeconds / gib : null,
            CpuUsedPercent = cpu.UsedPercent,
            PeakMemoryBytes = process.PeakMemoryBytes,
            Interrupted = isInterrupted,
            Errors = errors,
        };
    }

    private static WorkloadStatistics? Of(IReadOnlyList<WorkloadRun> runs, Func<WorkloadRun, double> value) => runs.Count > 0 ? WorkloadStatistics.Of(runs.Select(value)) : null;
}
