using System.Globalization;
using System.Net.Http.Headers;

namespace Transfer.Wire;

/// <summary>How long a store wants to be left alone after an error: <c>Retry-After</c> of RFC 9110 (section 10.2.3), or AWS's header, which counts milliseconds.</summary>
internal static class RetryAfter
{
    /// <summary>What is obeyed at the most: a store that names an hour, or a wrong date, must not hold up a transfer for that long.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    /// <summary>What the headers of an answer ask for; null where they ask for nothing that makes sense.</summary>
    /// <param name="header">The first value of the header of a name; null or empty where there is none.</param>
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

        // A date counts from the store's own clock, which ours need not agree with.
        TimeSpan? delay = value.Delta
            ?? (RetryConditionHeaderValue.TryParse(date, out RetryConditionHeaderValue? now) ? value.Date - now.Date : null);
        return delay < TimeSpan.Zero ? null : delay < Longest ? delay : delay is null ? null : Longest;
    }
}
