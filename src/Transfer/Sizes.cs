using System.Globalization;

namespace Transfer.S3;

/// <summary>Parses and formats sizes with units.</summary>
internal static class Sizes
{
    public const long KiB = 1024;
    public const long MiB = 1024 * KiB;
    public const long GiB = 1024 * MiB;
    public const long TiB = 1024 * GiB;

    /// <summary>
    /// The largest size of an object or a part that is believed: five times the limit of Amazon S3 (50 TB). The sum of 10,000 such parts doesn't overflow.
    /// </summary>
    public const long MaxObject = 256 * TiB;

    /// <summary>Parses a whole number of bytes with an optional unit: "8MiB", "512 KiB", "7MB" (a power of 1000), "1048576".</summary>
    public static bool TryParse(string text, out long bytes)
    {
        ReadOnlySpan<char> rest = text.AsSpan().Trim();
        int digits = rest.IndexOfAnyExceptInRange('0', '9');
        ReadOnlySpan<char> number = digits < 0 ? rest : rest[..digits];
        string unit = digits < 0 ? string.Empty : rest[digits..].Trim().ToString().ToUpperInvariant();
        long factor = unit switch
        {
            "" or "B" => 1,
            "KIB" => KiB,
            "MIB" => MiB,
            "GIB" => GiB,
            "TIB" => TiB,
            "KB" => 1000,
            "MB" => 1000 * 1000,
            "GB" => 1000 * 1000 * 1000,
            _ => 0,
        };
        bool isSize = long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long count) && factor > 0 && count <= long.MaxValue / factor;
        bytes = isSize ? count * factor : 0;
        return isSize;
    }

    /// <summary>Formats a size with at most one decimal: "0 B", "1.5 KiB", "8 MiB".</summary>
    public static string Text(long bytes)
    {
        (long unit, string name) = bytes switch
        {
            >= TiB => (TiB, "TiB"),
            >= GiB => (GiB, "GiB"),
            >= MiB => (MiB, "MiB"),
            >= KiB => (KiB, "KiB"),
            _ => (1, "B"),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{(double)bytes / unit:0.#} {name}");
    }

    /// <summary>Formats a size exactly, in the largest unit of which it is a multiple, so that <see cref="TryParse"/> returns the same size: "8 MiB", "1025 B".</summary>
    public static string ExactText(long bytes)
    {
        (long unit, string name) = bytes switch
        {
            0 => (1, "B"),
            _ when bytes % TiB == 0 => (TiB, "TiB"),
            _ when bytes % GiB == 0 => (GiB, "GiB"),
            _ when bytes % MiB == 0 => (MiB, "MiB"),
            _ when bytes % KiB == 0 => (KiB, "KiB"),
            _ => (1, "B"),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{bytes / unit} {name}");
    }
}
