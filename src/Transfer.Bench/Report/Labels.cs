using System.Globalization;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The labels that charts and tables share.</summary>
internal static class Labels
{
    public static string Rate(BenchReport report) => report.IsByRequests ? "Requests per second" : "Throughput";

    /// <summary>Formats a value on an axis.</summary>
    public static string Tick(double value) => value.ToString("#,0.###", CultureInfo.InvariantCulture);

    /// <summary>Formats a rate: "64MiB × 16: 1,204 MiB/s, 1,180 to 1,220 in 3 runs".</summary>
    public static string GetRate(BenchReport report, SettingResult setting)
    {
        string range = setting.Runs.Count > 1
            ? $", {RateText.Rate(setting.RateMinBy(report.Metric))} to {RateText.Rate(setting.RateMaxBy(report.Metric))} in {setting.Runs.Count} runs"
            : string.Empty;
        return $"{Series.GetName(setting)}: {RateText.Rate(setting.RateBy(report.Metric))} {RateText.Unit(report)}{range}";
    }
}
