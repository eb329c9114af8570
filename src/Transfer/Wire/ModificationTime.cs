using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>
/// The last-modified time of a file in the metadata of its object, in the format of rclone: <c>mtime</c>, seconds since 1970 with a fraction (rclone,
/// "S3 backend", modification times). The last-modified time of the object itself is the time of its upload.
/// </summary>
internal static class ModificationTime
{
    public const string Name = "mtime";

    public static string Format(DateTimeOffset time)
    {
        long ticks = time.UtcTicks - DateTimeOffset.UnixEpoch.Ticks;
        return ((decimal)ticks / TimeSpan.TicksPerSecond).ToString("0.#######", CultureInfo.InvariantCulture);
    }

    /// <summary>Gets the last-modified time of an object's file from its metadata, or else the last-modified time of the object.</summary>
    public static DateTimeOffset? Get(ObjectInfo info) => Recorded(info) ?? info.LastModified;

    /// <summary>Gets the last-modified time of an object's file from its metadata; null if it isn't there.</summary>
    public static DateTimeOffset? Recorded(ObjectInfo info)
    {
        const NumberStyles style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;
        if (info.Metadata.TryGetValue(Name, out string? text) && decimal.TryParse(text, style, CultureInfo.InvariantCulture, out decimal seconds))
        {
            decimal ticks = DateTimeOffset.UnixEpoch.Ticks + decimal.Truncate(Math.Clamp(seconds, -100_000_000_000m, 300_000_000_000m) * TimeSpan.TicksPerSecond);
            if (ticks >= DateTimeOffset.MinValue.Ticks && ticks <= DateTimeOffset.MaxValue.Ticks)
            {
                return new DateTimeOffset((long)ticks, TimeSpan.Zero);
            }
        }

        return null;
    }
}
