using System.Globalization;

namespace Transfer.S3.Bench.Workloads;

/// <summary>Formats results as the other runners do. Their scripts read the lines of the runs, so those must not change.</summary>
internal static class WorkloadText
{
    private const double MiB = 1 << 20;

    public static string Line(WorkloadRun run)
        => string.Create(CultureInfo.InvariantCulture, $"Run:{run.Run} Secs:{run.Seconds:F6} Gb/s:{run.ThroughputGigabitsPerSecond:F6}");

    /// <summary>Writes a summary, if a run is complete.</summary>
    public static void WriteSummary(TextWriter writer, WorkloadReport report)
    {
        if (report is not { ThroughputGigabitsPerSecond: { } throughput, Seconds: { } seconds, CpuSeconds: { } cpu })
        {
            return;
        }

        writer.WriteLine(Line("Throughput (Gb/s)", throughput));
        writer.WriteLine(Line("Duration (Secs)", seconds));
        writer.WriteLine(Line("CPU (Secs)", cpu));
        string perGib = report.CpuSecondsPerGib is { } cost ? string.Create(CultureInfo.InvariantCulture, $" Secs/GiB:{cost:F6}") : string.Empty;
        writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"CPU Percent:{report.CpuUsedPercent:F6} Cores:{report.Client.Cores}{perGib}"));
        writer.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Peak RSS:{report.PeakMemoryBytes / MiB:F6} MiB"));
    }

    private static string Line(string name, WorkloadStatistics value) => string.Create(
        CultureInfo.InvariantCulture,
        $"Overall {name} Median:{value.Median:F6} Mean:{value.Mean:F6} Min:{value.Min:F6} Max:{value.Max:F6} Variance:{value.Variance:F6} StdDev:{value.StandardDeviation:F6}");
}
