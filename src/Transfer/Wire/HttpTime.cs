using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>Parses times in headers.</summary>
internal static class HttpTime
{
    /// <summary>
    /// The earliest and the latest time that a store can have: its API is of 2006-03-01 (Amazon S3 API Reference), and a century after that is certainly a mistake. A
    /// machine without a clock can be off by decades, so the difference from its time shows nothing.
    /// </summary>
    private static readonly DateTimeOffset Earliest = new(2006, 3, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset Latest = Earliest.AddYears(100);

    /// <summary>Gets the date of a response if it can be the time of a store; otherwise, null.</summary>
    public static DateTimeOffset? OfStore(DateTimeOffset? date) => date >= Earliest && date <= Latest ? date : null;

    /// <summary>Parses an HTTP date (RFC 9110, section 5.6.7).</summary>
    /// <returns>Null if the text isn't a date, such as the 0 that some servers use for "expired".</returns>
    public static DateTimeOffset? Parse(string? text)
        => DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
