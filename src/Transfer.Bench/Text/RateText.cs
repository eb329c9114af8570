using System.Globalization;
using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Text;

/// <summary>Formats rates and their differences with their significant digits.</summary>
internal static class RateText
{
    /// <summary>Gets the unit of the rates that rank the settings of a report.</summary>
    public static string Unit(BenchReport report) => report.IsByRequests ? "requests/s" : "MiB/s";

    public static string Rate(double rate) => rate.ToString(rate < 10 ? "0.00" : "#,0", CultureInfo.InvariantCulture);

    /// <summary>Formats a throughput in gigabits (10^9 bits) per second.</summary>
    public static string Gigabits(double mibPerSecond) => (mibPerSecond * (1 << 20) * 8 / 1e9).ToString("0.##", CultureInfo.InvariantCulture);

    public static string Percent(double percent) => percent.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + "%";
}
