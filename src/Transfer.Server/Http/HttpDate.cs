using System.Globalization;

namespace Transfer.S3.Server.Http;

/// <summary>Parses and formats dates in HTTP headers (RFC 9110, section 5.6.7).</summary>
internal static class HttpDate
{
    public static string Format(DateTimeOffset time) => time.UtcDateTime.ToString("R");

    public static DateTimeOffset? Parse(string? text) =>
        DateTimeOffset.TryParseExact(text, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
        || DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time)
            ? time
            : null;

    public static DateTimeOffset WholeSeconds(DateTimeOffset time) => new(time.UtcTicks - (time.UtcTicks % TimeSpan.TicksPerSecond), TimeSpan.Zero);
}
