using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>Parses times in headers.</summary>
internal static class HttpTime
{
    /// <summary>Parses an HTTP date (RFC 9110, section 5.6.7).</summary>
    /// <returns>Null if the text isn't a date, such as the 0 that some servers use for "expired".</returns>
    public static DateTimeOffset? Parse(string? text)
        => DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
