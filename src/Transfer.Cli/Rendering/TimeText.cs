using System.Globalization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Formats times for people: in local time, with its offset, so that the zone is never a guess.</summary>
internal static class TimeText
{
    private const string Format = "yyyy-MM-dd HH:mm:ss";

    /// <summary>Gets the number of characters of a time, which is the same for all times of a zone.</summary>
    public static int Width(TimeZoneInfo? zone = null) => Format.Length + (IsUtc(zone ?? TimeZoneInfo.Local) ? " Z" : " +00:00").Length;

    /// <summary>Gets a time such as <c>2026-11-29 14:03:07 +01:00</c>, or with <c>Z</c> where the local time is always UTC.</summary>
    /// <param name="time">The time.</param>
    /// <param name="zone">The zone; null for that of this machine.</param>
    public static string Get(DateTimeOffset time, TimeZoneInfo? zone = null)
    {
        zone ??= TimeZoneInfo.Local;
        DateTimeOffset local = TimeZoneInfo.ConvertTime(time, zone);
        return local.ToString(IsUtc(zone) ? Format + " 'Z'" : Format + " zzz", CultureInfo.InvariantCulture);
    }

    private static bool IsUtc(TimeZoneInfo zone) => zone.BaseUtcOffset == TimeSpan.Zero && !zone.SupportsDaylightSavingTime;
}
