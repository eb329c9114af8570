using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>Parses durations as people write them.</summary>
internal static class DurationText
{
    public const string Accepted = "a number with ms, s, m, h, or d, such as 40ms or 1.5s";

    private const string Units = "dhms";

    public static bool TryParse(string text, out TimeSpan duration)
    {
        duration = TimeSpan.Zero;
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        if (trimmed is "0")
        {
            return true;
        }

        int split = trimmed.IndexOfAny(Units);
        if (split < 0 || !decimal.TryParse(trimmed[..split].TrimEnd(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value))
        {
            return false;
        }

        long ticks = trimmed[split..] switch
        {
            "ms" => TimeSpan.TicksPerMillisecond,
            "s" => TimeSpan.TicksPerSecond,
            "m" => TimeSpan.TicksPerMinute,
            "h" => TimeSpan.TicksPerHour,
            "d" => TimeSpan.TicksPerDay,
            _ => 0,
        };
        if (ticks == 0 || value > long.MaxValue / (decimal)ticks)
        {
            return false;
        }

        duration = new TimeSpan((long)(value * ticks));
        return true;
    }
}
