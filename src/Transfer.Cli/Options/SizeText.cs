using System.Buffers;
using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses sizes and rates as people write them.</summary>
internal static class SizeText
{
    public const string Accepted = "a number of bytes, or a number with KiB, MiB, GiB, or TiB (K, M, G, and T mean the same: powers of 1024) or KB, MB, GB, or TB (powers of 1000), such as 8MiB";

    private static readonly SearchValues<char> Number = SearchValues.Create("0123456789.");

    public static bool TryParse(string text, out long bytes)
    {
        bytes = 0;
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        int digits = trimmed.IndexOfAnyExcept(Number);
        ReadOnlySpan<char> number = digits < 0 ? trimmed : trimmed[..digits];
        ReadOnlySpan<char> unit = digits < 0 ? [] : trimmed[digits..].Trim();
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || !TryUnit(unit, out long factor)
            || value > long.MaxValue / (decimal)factor)
        {
            return false;
        }

        decimal exact = value * factor;
        bytes = (long)exact;

        // A fraction of a byte is a typing error.
        return exact == bytes;
    }

    /// <summary>Parses a number of bytes per second: a size, with or without "/s".</summary>
    public static bool TryParseRate(string text, out long bytesPerSecond)
    {
        string trimmed = text.Trim();
        return TryParse(trimmed.EndsWith("/s", StringComparison.OrdinalIgnoreCase) ? trimmed[..^2] : trimmed, out bytesPerSecond);
    }

    private static bool TryUnit(ReadOnlySpan<char> unit, out long factor)
    {
        Span<char> upper = stackalloc char[3];
        factor = 0;
        if (unit.Length > upper.Length)
        {
            return false;
        }

        upper = upper[..unit.ToUpperInvariant(upper)];
        factor = upper switch
        {
            "" or "B" => 1,
            "K" or "KIB" => 1L << 10,
            "M" or "MIB" => 1L << 20,
            "G" or "GIB" => 1L << 30,
            "T" or "TIB" => 1L << 40,
            "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            "TB" => 1_000_000_000_000,
            _ => 0,
        };
        return factor != 0;
    }
}
