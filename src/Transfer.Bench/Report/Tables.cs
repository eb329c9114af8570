using System.Globalization;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The tables of a report: settings, latencies, runs, and the comparison with an earlier result.</summary>
internal static class Tables
{
    public static HtmlText Settings(BenchReport report, IReadOnlyList<SettingResult> settings)
    {
        string unit = RateText.Unit(report);
        List<(string, Func<SettingResult, string>)> columns =
        [
            (NameTitle(report), one => one.Best || one.Knee ? $"{Series.GetName(one)} ({MarkText.Format(one)})" : Series.GetName(one)),
            ("runs", one => Units.Number(one.Runs.Count)),
            ($"min {unit}", one => RateText.Rate(one.RateMinBy(report.Metric))),
            ($"mean {unit}", one => RateText.Rate(one.RateBy(report.Metric))),
            ($"max {unit}", one => RateText.Rate(one.RateMaxBy(report.Metric))),
            .. Rates(report),
            ("P50 ms", one => LatencyText.Milliseconds(one.LatencyMs?.P50)),
            ("P99 ms", one => LatencyText.Milliseconds(one.LatencyMs?.P99)),
            ("retries", one => Units.Number(one.Retries)),
            ("errors", one => Units.Number(one.Errors)),
            ("CPU s/GiB", one => one.CpuSecondsPerGib?.ToString("0.00", CultureInfo.InvariantCulture) ?? "-"),
            ("CPU", one => one.CpuUsedPercent.ToString("0", CultureInfo.InvariantCulture) + "%"),
            ("peak memory", one => ByteSize.Format(one.PeakMemoryBytes)),
        ];
        return HtmlTable.Create("Settings", settings, columns, one => one.Best || one.Knee);
    }

    /// <summary>The latencies of all requests of each setting, and of each kind of request if there are several.</summary>
    public static HtmlText Latencies(BenchReport report, string caption, IReadOnlyList<SettingResult> settings, Func<SettingResult, LatencyResult?> ofAll, Func<RequestResult, LatencyResult?> ofKind)
    {
        bool hasKinds = settings.Any(setting => setting.Requests.Count > 1);
        List<(string Name, string Kind, LatencyResult? Latency)> rows = [];
        foreach (SettingResult setting in settings)
        {
            rows.Add((Series.GetName(setting), "all", ofAll(setting)));
            rows.AddRange(hasKinds ? setting.Requests.Select(kind => (Series.GetName(setting), kind.Kind, ofKind(kind))) : []);
        }

        (string, Func<(string Name, string Kind, LatencyResult? Latency), string>)[] kinds = hasKinds ? [("requests", row => row.Kind)] : [];
        return HtmlTable.Create(
            caption,
            rows,
            [
                (NameTitle(report), row => row.Name),
                .. kinds,
                ("min", row => LatencyText.Milliseconds(row.Latency?.Min)),
                ("mean", row => LatencyText.Milliseconds(row.Latency?.Mean)),
                ("P50", row => LatencyText.Milliseconds(row.Latency?.P50)),
                ("P90", row => LatencyText.Milliseconds(row.Latency?.P90)),
                ("P95", row => LatencyText.Milliseconds(row.Latency?.P95)),
                ("P99", row => LatencyText.Milliseconds(row.Latency?.P99)),
                ("P99.9", row => LatencyText.Milliseconds(row.Latency?.P999)),
                ("max", row => LatencyText.Milliseconds(row.Latency?.Max)),
            ]);
    }

    public static HtmlText Runs(BenchReport report, IReadOnlyList<SettingResult> settings) => HtmlTable.Create(
        "Runs",
        [.. settings.SelectMany(setting => setting.Runs, (setting, run) => (Setting: setting, Run: run))],
        [
            (NameTitle(report), row => Series.GetName(row.Setting)),
            ("run", row => Units.Number(row.Run.Run) + (row.Run.Complete ? string.Empty : ", interrupted")),
            ("MiB/s", row => RateText.Rate(row.Run.ThroughputMibPerSecond)),
            ("requests/s", row => RateText.Rate(row.Run.RequestsPerSecond)),
            ("seconds", row => row.Run.Seconds.ToString("0.###", CultureInfo.InvariantCulture)),
            ("objects", row => Units.Number(row.Run.Objects)),
            ("requests", row => Units.Number(row.Run.Requests)),
            ("bytes", row => Units.Number(row.Run.Bytes)),
            ("first byte P50 ms", row => LatencyText.Milliseconds(row.Run.FirstByteMs?.P50)),
            ("request P50 ms", row => LatencyText.Milliseconds(row.Run.LatencyMs?.P50)),
            ("request P99 ms", row => LatencyText.Milliseconds(row.Run.LatencyMs?.P99)),
            ("retries", row => Units.Number(row.Run.Retries)),
            ("errors", row => Units.Number(row.Run.Errors)),
            ("CPU", row => row.Run.CpuUsedPercent.ToString("0", CultureInfo.InvariantCulture) + "%"),
            ("peak memory", row => ByteSize.Format(row.Run.PeakMemoryBytes)),
        ]);

    public static HtmlText Compared(BenchReport report, BenchComparison comparison) => HtmlTable.Create(
        "Comparison",
        comparison.Settings,
        [
            ("setting", one => new Setting(one.PartSizeBytes, one.Concurrency).ToString()),
            ("verdict", one => one.Verdict),
            ($"before {RateText.Unit(report)}", one => RateText.Rate(one.BaselineRate)),
            ($"now {RateText.Unit(report)}", one => RateText.Rate(one.Rate)),
            ("change", one => RateText.Percent(one.ChangePercent)),
            ("interval", one => one is { ChangeLowPercent: { } low, ChangeHighPercent: { } high } ? $"{RateText.Percent(low)} to {RateText.Percent(high)}" : "-"),
        ],
        one => one.Verdict is SettingComparison.Better or SettingComparison.Worse);

    private static string NameTitle(BenchReport report) => report.Settings.Any(setting => setting.PartSizeBytes is not null) ? "part size × concurrency" : "setting";

    private static (string, Func<SettingResult, string>)[] Rates(BenchReport report) => report.IsByRequests
        ? [("MiB/s", one => RateText.Rate(one.ThroughputMibPerSecond))]
        : [("Gb/s", one => RateText.Gigabits(one.ThroughputMibPerSecond)), ("requests/s", one => RateText.Rate(one.RequestsPerSecond))];
}
