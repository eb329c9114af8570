using System.Globalization;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>Formats the status of a run that is in progress.</summary>
internal sealed class StatusText
{
    private readonly RecentRate _recent = new();

    /// <summary>Gets which run it is: "get --part-size 8MiB --concurrency 4, run 1 of 3, setting 2 of 6".</summary>
    public static string Title(BenchStatus status)
    {
        string run = status.Run == 0 ? "warm-up" : $"run {status.Run} of {status.Runs}";
        string setting = status.Settings > 1 ? $", setting {status.Index + 1} of {status.Settings}" : string.Empty;
        return $"{status.Operation.Name} {status.Setting}, {run}{setting}";
    }

    /// <summary>Gets the progress, from 0 to 1.</summary>
    public static double Fraction(BenchStatus status, RunMeter meter)
    {
        double byTime = status.Load.Duration is { } duration && duration > TimeSpan.Zero ? meter.Elapsed / duration : 0;
        double byCount = status.Load.Count is { } count and > 0 ? (double)meter.Objects / count : 0;
        return Math.Clamp(Math.Max(byTime, byCount), 0, 1);
    }

    /// <summary>Gets the current rate and the average so far.</summary>
    public string Rates(BenchStatus status, RunMeter meter)
    {
        bool byRequests = status.Operation.Metric == Metrics.Requests;
        TimeSpan elapsed = meter.Elapsed;
        double count = byRequests ? meter.Requests : meter.Bytes;
        double now = _recent.Update(elapsed, count);
        double soFar = elapsed > TimeSpan.Zero ? count / elapsed.TotalSeconds : 0;
        return byRequests
            ? $"now {Units.Number((long)now)} requests/s, average {Units.Number((long)soFar)} requests/s"
            : $"now {Units.Rate(now)}, average {Units.Rate(soFar)}";
    }

    /// <summary>Gets what is done, and the remaining time.</summary>
    public static string Left(BenchStatus status, RunMeter meter)
    {
        string done = status.Load.Count is { } count
            ? $"{Units.Number(meter.Objects)} of {Units.Count(count, "object", "objects")}"
            : Units.Count(meter.Objects, "object", "objects");
        double fraction = Fraction(status, meter);
        TimeSpan? left = status.Load.Duration is { } duration && status.Load.Count is null ? duration - meter.Elapsed
            : fraction > 0 ? (meter.Elapsed / fraction) - meter.Elapsed
            : null;
        return $"{done}, {Units.Clock(left is { } time ? TimeSpan.FromSeconds(Math.Ceiling(Math.Max(0, time.TotalSeconds))) : null)} left";
    }

    /// <summary>Gets the latency of the requests.</summary>
    public static string Latency(RunMeter meter)
    {
        LatencyHistogram latency = meter.Latency();
        return latency.Count == 0
            ? "request latency -"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"request latency P50 {Milliseconds(latency, 50)}, P90 {Milliseconds(latency, 90)}, P99 {Milliseconds(latency, 99)}, P99.9 {Milliseconds(latency, 99.9)} ms");
    }

    private static string Milliseconds(LatencyHistogram latency, double percent) => LatencyText.Milliseconds(latency.Percentile(percent) / 1e6);
}
