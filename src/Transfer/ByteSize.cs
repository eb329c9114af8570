using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Transfer.S3;

/// <summary>Reads and writes sizes in bytes, such as <c>8MiB</c>.</summary>
/// <remarks>
/// <para>
/// A size is a number of bytes, or a number with a unit: KiB, MiB, GiB, and TiB are powers of 1024, and K, M, G, and T mean the same. KB, MB, GB, and TB are powers of
/// 1000. B is bytes. The number can have a decimal point, if the result is a whole number of bytes. Units can be in uppercase or lowercase, and spaces before the unit,
/// at the beginning, and at the end are ignored. The culture has no effect.
/// </para>
/// <para>Configuration sections, environment variables, and the options of the tool have the same sizes.</para>
/// </remarks>
/// <example>
/// <code>
/// TransferClientOptions options = new() { MemoryBytes = ByteSize.Parse("1.5GiB") };
/// Console.WriteLine($"Buffers use up to {ByteSize.Format(options.MemoryBytes.Value)}."); // 1.5 GiB
/// </code>
/// </example>
public static class ByteSize
{
    private static readonly SearchValues<char> Number = SearchValues.Create("0123456789.");
    private static readonly string[] Units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

    private static readonly (long Factor, string Name)[] ExactUnits =
        [(Sizes.TiB, "TiB"), (Sizes.GiB, "GiB"), (Sizes.MiB, "MiB"), (Sizes.KiB, "KiB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];

    /// <summary>Reads a size.</summary>
    /// <param name="text">The size, such as <c>8MiB</c>, <c>1.5 GB</c>, or <c>1048576</c>.</param>
    /// <returns>The number of bytes, from 0 to <see cref="long.MaxValue"/>.</returns>
    /// <exception cref="ArgumentNullException">Thrown when <paramref name="text"/> is <see langword="null"/>.</exception>
    /// <exception cref="FormatException">Thrown when the text isn't a size, is a fraction of a byte, or exceeds <see cref="long.MaxValue"/> bytes.</exception>
    public static long Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out long bytes) ? bytes : throw new FormatException($"'{text}' is not a size, such as 8MiB.");
    }

    /// <summary>Reads a size, as <see cref="Parse"/> does.</summary>
    /// <param name="text">The size.</param>
    /// <param name="bytes">The number of bytes; 0 if the text isn't a size.</param>
    /// <returns><see langword="true"/> if the text is a size; otherwise, <see langword="false"/>.</returns>
    public static bool TryParse([NotNullWhen(true)] string? text, out long bytes)
    {
        bytes = 0;
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        int digits = trimmed.IndexOfAnyExcept(Number);
        ReadOnlySpan<char> number = digits < 0 ? trimmed : trimmed[..digits];
        ReadOnlySpan<char> unit = digits < 0 ? [] : trimmed[digits..].Trim();
        if (text is null
            || !decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || !TryUnit(unit, out long factor)
            || value > long.MaxValue / (decimal)factor
            || !decimal.IsInteger(value * factor))
        {
            return false;
        }

        bytes = (long)(value * factor);
        return true;
    }

    /// <summary>Reads a rate: a size per second, with or without <c>/s</c>.</summary>
    /// <param name="text">The rate, such as <c>20MiB/s</c> or <c>20MiB</c>.</param>
    /// <param name="bytesPerSecond">The number of bytes per second; 0 if the text isn't a rate.</param>
    /// <returns><see langword="true"/> if the text is a rate; otherwise, <see langword="false"/>.</returns>
    /// <remarks><see cref="RateLimit.Parse"/> reads the limits of both directions.</remarks>
    public static bool TryParseRate([NotNullWhen(true)] string? text, out long bytesPerSecond)
    {
        bytesPerSecond = 0;
        if (text is null)
        {
            return false;
        }

        string trimmed = text.TrimEnd();
        return TryParse(trimmed.EndsWith("/s", StringComparison.OrdinalIgnoreCase) ? trimmed[..^2] : trimmed, out bytesPerSecond);
    }

    /// <summary>Writes a size for people, in the largest unit of which it is at least one: <c>0 B</c>, <c>1.5 KiB</c>, <c>431 MiB</c>.</summary>
    /// <param name="bytes">The number of bytes. It can be a fraction, such as that of an average.</param>
    /// <returns>The size with at most one decimal, or with none from 100 of the unit. The units are B, KiB, MiB, GiB, TiB, and PiB.</returns>
    public static string Format(double bytes)
    {
        int unit = 0;
        double value = bytes;

        // Otherwise, 1023.96 would be formatted as 1024.
        while (Math.Abs(value) >= 1023.5 && unit < Units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        string format = Math.Abs(value) >= 100 ? "0" : "0.#";
        return $"{value.ToString(format, CultureInfo.InvariantCulture)} {Units[unit]}";
    }

    /// <summary>Writes a size exactly, so that <see cref="Parse"/> returns the same size: <c>16MiB</c>, <c>8MB</c>, <c>1234567</c>.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <returns>The size in the largest power of 1024 of which it is a multiple, or else of 1000, or else in bytes.</returns>
    public static string FormatExact(long bytes)
    {
        (long factor, string name) = ExactUnits.FirstOrDefault(unit => bytes > 0 && bytes % unit.Factor == 0, (1, string.Empty));
        return string.Create(CultureInfo.InvariantCulture, $"{bytes / factor}{name}");
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
            "K" or "KIB" => Sizes.KiB,
            "M" or "MIB" => Sizes.MiB,
            "G" or "GIB" => Sizes.GiB,
            "T" or "TIB" => Sizes.TiB,
            "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            "TB" => 1_000_000_000_000,
            _ => 0,
        };
        return factor != 0;
    }
}
