using System.Globalization;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>Writes a report for people: a summary of each run, and a table at the end.</summary>
internal static class TextReport
{
    /// <summary>Writes the result of one run.</summary>
    public static void WriteRun(TextWriter writer, SweepPlan plan, ObjectSet objects, SettingMeasurement measured, RunResult run, int cores)
    {
        Setting setting = measured.Setting;
        writer.WriteLine($"{plan.Operation.Name} {setting}, run {run.Run} of {plan.Runs}{(run.Complete ? string.Empty : ", interrupted")}");
        writer.WriteLine($"  {Printable.Text($"s3://{objects.Bucket}/{(objects.Objects is [{ } only] ? only.Key : objects.Prefix)}")}");
        writer.WriteLine($"  {Objects(objects, setting)}, {Units.Count(measured.Workers, "concurrent object", "concurrent objects")}");
        writer.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {Units.Count(run.Objects, "object", "objects")}, {ByteSize.Format(run.Bytes)}, {Units.Count(run.Requests, "request", "requests")} in {run.Seconds:0.###} s: {run.ThroughputMibPerSecond:#,0.#} MiB/s ({RateText.Gigabits(run.ThroughputMibPerSecond)} Gb/s), {run.RequestsPerSecond:#,0.#} requests/s"));
        writer.WriteLine($"  first byte: {LatencyText.Line(run.FirstByteMs)}");
        writer.WriteLine($"  request:    {LatencyText.Line(run.LatencyMs)}");
        writer.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {Units.Count(run.Retries, "retry", "retries")}, {Units.Count(run.Errors, "error", "errors")}; CPU {Cpu(run)}{run.CpuUsedPercent:0}% of {Units.Count(cores, "core", "cores")}; peak memory {ByteSize.Format(run.PeakMemoryBytes)}"));
    }

    /// <summary>Writes a table of all settings, and the recommendation.</summary>
    public static void WriteEnd(TextWriter writer, BenchReport report)
    {
        if (report.Settings.Count == 0)
        {
            return;
        }

        string unit = RateText.Unit(report);
        bool hasParts = report.Settings.Any(setting => setting.PartSizeBytes is not null);
        writer.WriteLine();
        WriteTable(
            writer,
            hasParts,
            ["Runs", $"min {unit}", $"mean {unit}", $"max {unit}", "P50 ms", "P99 ms", "Errors", string.Empty],
            report.Settings,
            setting =>
            [
                setting.Runs.Count.ToString(CultureInfo.InvariantCulture),
                RateText.Rate(setting.RateMinBy(report.Metric)),
                RateText.Rate(setting.RateBy(report.Metric)),
                RateText.Rate(setting.RateMaxBy(report.Metric)),
                LatencyText.Milliseconds(setting.LatencyMs?.P50),
                LatencyText.Milliseconds(setting.LatencyMs?.P99),
                Units.Number(setting.Errors),
                MarkText.Format(setting),
            ],
            setting => (setting.PartSizeBytes, setting.Concurrency));
        writer.WriteLine();
        writer.WriteLine(report.Advice is null
            ? Notices.Nothing
            : $"Use {report.Advice}{(report.Settings.Count > 1 ? ": the lowest concurrency within 5% of the best" : string.Empty)}");
        foreach (string notice in Notices.From(report))
        {
            writer.WriteLine(notice);
        }

        if (report.Comparison is { } comparison)
        {
            WriteComparison(writer, comparison, unit, hasParts);
        }
    }

    private static void WriteComparison(TextWriter writer, BenchComparison comparison, string unit, bool hasParts)
    {
        writer.WriteLine();
        writer.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Compared with {comparison.BaselineStartedAt:yyyy-MM-dd HH:mm:ss}Z ({comparison.BaselineEngine}), {comparison.ConfidencePercent:0}% confidence intervals:"));
        if (comparison.Settings.Count == 0)
        {
            writer.WriteLine("no settings are in both results");
            return;
        }

        WriteTable(
            writer,
            hasParts,
            [$"before {unit}", $"now {unit}", "change", "interval", "verdict"],
            comparison.Settings,
            setting =>
            [
                RateText.Rate(setting.BaselineRate),
                RateText.Rate(setting.Rate),
                RateText.Percent(setting.ChangePercent),
                setting.ChangeLowPercent is { } low && setting.ChangeHighPercent is { } high ? $"{RateText.Percent(low)} to {RateText.Percent(high)}" : "-",
                setting.Verdict == SettingComparison.Unknown ? "unknown: needs at least two runs on both sides" : setting.Verdict,
            ],
            setting => (setting.PartSizeBytes, setting.Concurrency));
    }

    private static void WriteTable<T>(
        TextWriter writer, bool hasParts, string[] titles, IReadOnlyList<T> rows, Func<T, string[]> cells, Func<T, (long? PartSizeBytes, int? Concurrency)> setting)
    {
        string[] first = hasParts ? ["Part", "Concurrency"] : ["Concurrency"];
        string[][] lines =
        [
            .. rows.Select(row =>
            {
                (long? part, int? concurrency) = setting(row);
                string number = new Setting(part, concurrency).ConcurrencyText;
                string[] names = hasParts ? [part is { } size ? ByteSize.FormatExact(size) : "-", number] : [number];
                return names.Concat(cells(row)).ToArray();
            }),
        ];
        string[] all = [.. first, .. titles];
        TextTable.Write(writer, all, lines, [.. all.Select((_, column) => column < all.Length - 1)]);
    }

    private static string Objects(ObjectSet objects, Setting setting)
    {
        string count = Units.Count(objects.Objects.Count, "object", "objects");
        if (objects.Largest?.SizeBytes is not { } largest || objects.Smallest?.SizeBytes is not { } smallest)
        {
            return count;
        }

        string size = smallest == largest ? ByteSize.Format(largest) : $"{ByteSize.Format(smallest)} to {ByteSize.Format(largest)}";
        string parts = setting.PartSizeBytes is { } part ? $" in {Units.Count(setting.GetPartCount(largest), "part", smallest == largest ? "parts" : "parts at most")} of {ByteSize.FormatExact(part)}" : string.Empty;
        return $"{count} of {size}{parts}";
    }

    private static string Cpu(RunResult run)
        => run.Bytes > 0 ? string.Create(CultureInfo.InvariantCulture, $"{run.CpuSeconds / (run.Bytes / (double)(1 << 30)):0.00} s/GiB, ") : string.Empty;
}
