using System.Globalization;

namespace Transfer.Wire;

/// <summary>The time in a header.</summary>
internal static class HttpTime
{
    /// <summary>Reads an HTTP date (RFC 9110, section 5.6.7).</summary>
    /// <returns>Null for what is none, such as the 0 that some servers use for "expired".</returns>
    public static DateTimeOffset? Parse(string? text)
        => DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
