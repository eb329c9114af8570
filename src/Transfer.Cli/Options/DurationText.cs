using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses durations as people write them.</summary>
internal static class DurationText
{
    public const string Accepted = "a number with ms, s, m, h, or d, such as 40ms or 1.5s";

    public const string AcceptedWithSeconds = $"{Accepted}, or a number of seconds";

    private const string Units = "dhms";

    /// <summary>Parses a duration. A number without a unit is seconds, as in the AWS CLI.</summary>
    /// <remarks>
    /// Only options whose number can't be taken for something else use this: --older-than 7 probably means days, and would abort uploads that are 7 seconds old.
    /// </remarks>
    public static bool TryParseWithSeconds(string text, out TimeSpan duration)
    {
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        return TryParse(decimal.TryParse(trimmed, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out _) ? $"{trimmed}s" : text, out duration);
    }

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
