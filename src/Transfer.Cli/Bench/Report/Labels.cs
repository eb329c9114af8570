using System.Globalization;
using Transfer.Cli.Bench.Display;
using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Report;

/// <summary>What the same things are called in all charts and tables.</summary>
internal static class Labels
{
    public static string Rate(BenchReport report) => report.IsByRequests ? "Requests per second" : "Throughput";

    /// <summary>A value beside an axis.</summary>
    public static string Tick(double value) => value.ToString("#,0.###", CultureInfo.InvariantCulture);

    /// <summary>"64MiB × 16: 1,204 MiB/s, 1,180 to 1,220 in 3 runs".</summary>
    public static string RateOf(BenchReport report, SettingResult setting)
    {
        string range = setting.Runs.Count > 1
            ? $", {RateText.Rate(setting.RateMinBy(report.Metric))} to {RateText.Rate(setting.RateMaxBy(report.Metric))} in {setting.Runs.Count} runs"
            : string.Empty;
        return $"{Series.NameOf(setting)}: {RateText.Rate(setting.RateBy(report.Metric))} {RateText.Unit(report)}{range}";
    }
}
