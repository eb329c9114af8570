using System.Globalization;
using System.Net;

namespace Transfer.S3.Wire;

/// <summary>The bytes of an object that the body of a response contains.</summary>
/// <param name="Offset">The offset of the first byte.</param>
/// <param name="Length">The number of bytes.</param>
/// <param name="Total">The size of the object.</param>
internal readonly record struct ReceivedRange(long Offset, long Length, long Total)
{
    /// <summary>The invalid Content-Range that MinIO sends for the last bytes of an empty object, instead of status 416.</summary>
    private const string LastOfNothing = "bytes 0--1/0";

    /// <summary>The invalid Content-Range that s3rver sends for any range of an empty object. Its Content-Length is 1, but there is no body.</summary>
    private const string FirstOfNothing = "bytes 0-0/0";

    /// <summary>Gets a value that indicates whether the range is the whole object.</summary>
    public bool IsAll => Length == Total;

    /// <summary>Parses a Content-Range header strictly (RFC 9110, section 14.4): <c>bytes first-last/total</c>.</summary>
    public static bool TryParse(string? text, out ReceivedRange range)
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

        range = new ReceivedRange(first, last - first + 1, total);
        return true;
    }

    /// <summary>Gets the bytes in the response to a GET request, and checks that they are those that were requested.</summary>
    /// <param name="status">The status of the response.</param>
    /// <param name="contentRange">The Content-Range header, if any.</param>
    /// <param name="contentLength">The Content-Length header; negative if there is none.</param>
    /// <param name="requestId">The ID of the request, if any.</param>
    /// <param name="requested">The requested range.</param>
    public static ReceivedRange Check(HttpStatusCode status, string? contentRange, long contentLength, string? requestId, RequestedRange requested)
    {
        if (status is not (HttpStatusCode.OK or HttpStatusCode.PartialContent or 0))
        {
            throw Protocol(string.Create(CultureInfo.InvariantCulture, $"the response to a read has status {(int)status}"));
        }

        if (string.IsNullOrEmpty(contentRange))
        {
            if (status == HttpStatusCode.PartialContent)
            {
                // It isn't known which bytes the body contains. A body with several ranges has no Content-Range either.
                throw Protocol("the response has status 206, but no Content-Range");
            }

            // The store ignored the range, which servers are allowed to do (RFC 9110, section 14.2).
            return requested is { Length: not null, Offset: not 0 } || (requested.IsLast && contentLength > requested.Length)
                ? throw Protocol(string.Create(CultureInfo.InvariantCulture, $"the store ignored the range ({requested})"), FailureKind.RangeIgnored)
                : contentLength is < 0 or > Sizes.MaxObject
                ? throw Protocol("the response has no valid Content-Length")
                : new ReceivedRange(0, contentLength, contentLength);
        }

        if ((requested.IsLast && contentLength == 0 && contentRange == LastOfNothing)
            || ((requested.IsLast || requested.Offset == 0) && contentRange == FirstOfNothing))
        {
            return default;
        }

        if (!TryParse(contentRange, out ReceivedRange range))
        {
            throw Protocol($"the Content-Range '{contentRange}' is invalid");
        }

        (long first, long end) = requested.In(range.Total);
        if (range.Offset != first || range.Offset + range.Length != end)
        {
            throw Protocol($"bytes {first}-{end - 1} were requested, but the store returned '{contentRange}'");
        }

        return contentLength > 0 && contentLength != range.Length
            ? throw Protocol($"the response has Content-Range '{contentRange}', but its Content-Length is {contentLength}")
            : range;

        WireException Protocol(string message, FailureKind kind = FailureKind.Final) => new(kind, message) { StatusCode = status == 0 ? null : status, RequestId = requestId };
    }

    /// <summary>
    /// Creates the error for a response that the handler of a factory has decompressed, so that it isn't known which of the stored bytes it contains.
    /// </summary>
    public static WireException Decompressed(HttpStatusCode status, string? requestId) => new(
        FailureKind.Final,
        "the response has no Content-Length, probably because the handler of the HttpClientFactory decompresses responses. Set its AutomaticDecompression to DecompressionMethods.None")
    {
        StatusCode = status,
        RequestId = requestId,
    };

    private static bool TryNumber(ReadOnlySpan<char> text, out long value)
    {
        // .NET ignores U+0000 characters after a number.
        value = 0;
        return !text.ContainsAnyExceptInRange('0', '9') && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }
}
