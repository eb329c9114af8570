using System.Globalization;
using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Text;

/// <summary>Formats latencies with their significant digits.</summary>
internal static class LatencyText
{
    /// <summary>Formats a latency with three digits: "0.412", "1.20", "23.4", "512", "12,034".</summary>
    public static string Milliseconds(double value) => value.ToString(
        value switch
        {
            < 1 => "0.000",
            < 10 => "0.00",
            < 100 => "0.0",
            _ => "#,0",
        },
        CultureInfo.InvariantCulture);

    public static string Milliseconds(double? value) => value is { } time ? Milliseconds(time) : "-";

    /// <summary>Formats a distribution on one line.</summary>
    public static string Line(LatencyResult? latency) => latency is null
        ? "-"
        : $"min {Milliseconds(latency.Min)}, mean {Milliseconds(latency.Mean)}, P50 {Milliseconds(latency.P50)}, P90 {Milliseconds(latency.P90)}, P95 {Milliseconds(latency.P95)}, "
            + $"P99 {Milliseconds(latency.P99)}, P99.9 {Milliseconds(latency.P999)}, max {Milliseconds(latency.Max)} ms";
}
