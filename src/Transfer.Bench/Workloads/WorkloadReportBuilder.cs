using System.Runtime.InteropServices;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Sums up the runs of a workload.</summary>
internal static class WorkloadReportBuilder
{
    private const double GiB = 1 << 30;

    public static WorkloadReport Build(
        WorkloadFile file,
        string bucket,
        EngineKind engine,
        IReadOnlyList<WorkloadRun> runs,
        IProcessProbe process,
        BenchCircumstances circumstances,
        bool isInterrupted,
        IReadOnlyList<BenchError> errors)
    {
        double gib = file.BytesPerRun * (double)runs.Count / GiB;
        CpuUse cpu = new(TimeSpan.FromSeconds(runs.Sum(run => run.CpuSeconds)), TimeSpan.FromSeconds(runs.Sum(run => run.Seconds)), circumstances.Cores);
        return new WorkloadReport
        {
            Version = BenchReport.CurrentVersion,
            Operation = WorkloadReport.OperationName,
            Engine = engine == EngineKind.Sdk ? "sdk" : "transfer",
            StartedAt = circumstances.StartedAt,
            ToolVersion = ReportBuilder.ToolVersion,
            Store = circumstances.Store,
            Workload = WorkloadDescription.From(file, bucket),
            Client = new BenchClient(circumstances.Cores, cpu.IsSaturated, circumstances.MemoryLimitBytes, RuntimeInformation.OSDescription, RuntimeInformation.FrameworkDescription),
            Runs = runs,
            ThroughputGigabitsPerSecond = Summarize(runs, run => run.ThroughputGigabitsPerSecond),
            Seconds = Summarize(runs, run => run.Seconds),
            CpuSeconds = Summarize(runs, run => run.CpuSeconds),
            CpuSecondsPerGib = gib > 0 ? cpu.Cpu.TotalSeconds / gib : null,
            CpuUsedPercent = cpu.UsedPercent,
            PeakMemoryBytes = process.PeakMemoryBytes,
            Interrupted = isInterrupted,
            Errors = errors,
        };
    }

    private static WorkloadStatistics? Summarize(IReadOnlyList<WorkloadRun> runs, Func<WorkloadRun, double> value) => runs.Count > 0 ? WorkloadStatistics.From(runs.Select(value)) : null;
}
