using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>The Content-Range header of a 206 response, parsed strictly (RFC 9110, section 14.4): <c>bytes first-last/total</c>.</summary>
internal readonly record struct ContentRange(long First, long Last, long Total)
{
    /// <summary>The invalid header that MinIO sends for the last bytes of an empty object, instead of status 416.</summary>
    public const string LastOfNothing = "bytes 0--1/0";

    /// <summary>The invalid header that s3rver sends for any range of an empty object. Its Content-Length is 1, but there is no body.</summary>
    public const string FirstOfNothing = "bytes 0-0/0";

    public static bool TryParse(string? text, out ContentRange range)
    {
        range = default;
        ReadOnlySpan<char> rest = text.AsSpan().Trim();
        if (!rest.StartsWith("bytes ", StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        rest = rest["bytes ".Length..];
        int dash = rest.IndexOf('-');
        int slash = rest.IndexOf('/');
        if (dash <= 0
            || slash <= dash
            || !TryNumber(rest[..dash], out long first)
            || !TryNumber(rest[(dash + 1)..slash], out long last)
            || !TryNumber(rest[(slash + 1)..], out long total)
            || first > last
            || last >= total
            || total > Sizes.MaxObject)
        {
            return false;
        }

        range = new ContentRange(first, last, total);
        return true;
    }

    private static bool TryNumber(ReadOnlySpan<char> text, out long value)
    {
        // .NET ignores U+0000 characters after a number.
        value = 0;
        return !text.ContainsAnyExceptInRange('0', '9') && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }
}
