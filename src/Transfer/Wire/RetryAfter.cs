using System.Globalization;
using System.Net.Http.Headers;

namespace Transfer.S3.Wire;

/// <summary>Reads the time to wait after an error: <c>Retry-After</c> (RFC 9110, section 10.2.3), or the header of AWS, which contains milliseconds.</summary>
internal static class RetryAfter
{
    /// <summary>The maximum time to wait, so that a store with a long time or a wrong date doesn't delay a transfer.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    /// <summary>Reads the time from the headers of a response; null if there is none or it is invalid.</summary>
    /// <param name="header">Gets the first value of a header; null or empty if there is none.</param>
    public static TimeSpan? Read(Func<string, string?> header)
        => Milliseconds(header("x-amz-retry-after")) ?? SecondsOrDate(header("Retry-After"), header("Date"));

    private static TimeSpan? Milliseconds(string? text)
        => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long milliseconds)
            ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, (long)Longest.TotalMilliseconds))
            : null;

    private static TimeSpan? SecondsOrDate(string? text, string? date)
    {
        if (!RetryConditionHeaderValue.TryParse(text, out RetryConditionHeaderValue? value))
        {
            return null;
        }

        // A date is relative to the clock of the store, which can differ from ours.
        TimeSpan? delay = value.Delta
            ?? (RetryConditionHeaderValue.TryParse(date, out RetryConditionHeaderValue? now) ? value.Date - now.Date : null);
        return delay < TimeSpan.Zero ? null : delay < Longest ? delay : delay is null ? null : Longest;
    }
}
