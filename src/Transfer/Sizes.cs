using System.Globalization;

namespace Transfer;

/// <summary>Sizes in the units that people read.</summary>
internal static class Sizes
{
    public const long KiB = 1024;
    public const long MiB = 1024 * KiB;
    public const long GiB = 1024 * MiB;
    public const long TiB = 1024 * GiB;

    /// <summary>The size with at most one decimal: "0 B", "1.5 KiB", "8 MiB".</summary>
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
}
