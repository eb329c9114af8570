using System.Globalization;

namespace Transfer.S3.Bench.Results;

/// <summary>Writes a report as CSV: one line for each setting, with the names of the JSON. Names of nested fields follow the name of their object.</summary>
internal static class CsvReport
{
    public static void Write(BenchReport report, TextWriter writer)
    {
        writer.WriteLine(string.Join(',', Columns.Select(column => column.Name)));
        foreach (SettingResult setting in report.Settings)
        {
            writer.WriteLine(string.Join(',', Columns.Select(column => Convert.ToString(column.Value(report, setting), CultureInfo.InvariantCulture))));
        }
    }

    private static readonly (string Name, Func<BenchReport, SettingResult, object?> Value)[] Columns =
    [
        ("operation", (report, _) => report.Operation),
        ("engine", (report, _) => report.Engine),
        ("part_size_bytes", (_, one) => one.PartSizeBytes),
        ("concurrency", (_, one) => (object?)one.Concurrency ?? "auto"),
        ("workers", (_, one) => one.Workers),
        ("runs", (_, one) => one.Runs.Count),
        ("seconds", (_, one) => one.Seconds),
        ("throughput_mib_per_second", (_, one) => one.ThroughputMibPerSecond),
        ("throughput_min_mib_per_second", (_, one) => one.ThroughputMinMibPerSecond),
        ("throughput_max_mib_per_second", (_, one) => one.ThroughputMaxMibPerSecond),
        ("throughput_gigabits_per_second", (_, one) => one.ThroughputGigabitsPerSecond),
        ("requests_per_second", (_, one) => one.RequestsPerSecond),
        ("objects_per_second", (_, one) => one.ObjectsPerSecond),
        .. Latency("first_byte_ms", one => one.FirstByteMs),
        .. Latency("latency_ms", one => one.LatencyMs),
        ("retries", (_, one) => one.Retries),
        ("errors", (_, one) => one.Errors),
        ("cpu_seconds_per_gib", (_, one) => one.CpuSecondsPerGib),
        ("cpu_used_percent", (_, one) => one.CpuUsedPercent),
        ("cpu_saturated", (_, one) => Flag(one.CpuSaturated)),
        ("peak_memory_bytes", (_, one) => one.PeakMemoryBytes),
        ("best", (_, one) => Flag(one.Best)),
        ("knee", (_, one) => Flag(one.Knee)),
    ];

    private static (string Name, Func<BenchReport, SettingResult, object?> Value)[] Latency(string name, Func<SettingResult, LatencyResult?> which) =>
    [
        ($"{name}_min", (_, one) => which(one)?.Min),
        ($"{name}_mean", (_, one) => which(one)?.Mean),
        ($"{name}_p50", (_, one) => which(one)?.P50),
        ($"{name}_p90", (_, one) => which(one)?.P90),
        ($"{name}_p95", (_, one) => which(one)?.P95),
        ($"{name}_p99", (_, one) => which(one)?.P99),
        ($"{name}_p999", (_, one) => which(one)?.P999),
        ($"{name}_max", (_, one) => which(one)?.Max),
    ];

    private static string Flag(bool value) => value ? "true" : "false";
}
