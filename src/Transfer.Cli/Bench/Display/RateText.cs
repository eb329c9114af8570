using System.Globalization;
using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Display;

/// <summary>Rates, and how they differ, in the digits that mean something.</summary>
internal static class RateText
{
    /// <summary>The unit that a report's settings are ranked by.</summary>
    public static string Unit(BenchReport report) => report.IsByRequests ? "requests/s" : "MiB/s";

    public static string Rate(double rate) => rate.ToString(rate < 10 ? "0.00" : "#,0", CultureInfo.InvariantCulture);

    /// <summary>What was moved in a second, in 10^9 bits.</summary>
    public static string Gigabits(double mibPerSecond) => (mibPerSecond * (1 << 20) * 8 / 1e9).ToString("0.##", CultureInfo.InvariantCulture);

    public static string Percent(double percent) => percent.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + " %";
}
