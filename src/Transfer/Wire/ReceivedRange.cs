using System.Globalization;
using System.Net;

namespace Transfer.S3.Wire;

/// <summary>The range in the response to a GET request, checked against the request.</summary>
internal readonly record struct ReceivedRange(long Offset, long Length, long Total)
{
    /// <summary>Gets a value that indicates whether the range is the whole object.</summary>
    public bool IsAll => Length == Total;

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

        if ((requested.IsLast && contentLength == 0 && contentRange == ContentRange.LastOfNothing)
            || ((requested.IsLast || requested.Offset == 0) && contentRange == ContentRange.FirstOfNothing))
        {
            return default;
        }

        if (!ContentRange.TryParse(contentRange, out ContentRange range))
        {
            throw Protocol($"the Content-Range '{contentRange}' is invalid");
        }

        (long first, long end) = requested.In(range.Total);
        if (range.First != first || range.Last != end - 1)
        {
            throw Protocol($"bytes {first}-{end - 1} were requested, but the store returned '{contentRange}'");
        }

        long count = range.Last - range.First + 1;
        return contentLength > 0 && contentLength != count
            ? throw Protocol($"the response has Content-Range '{contentRange}', but its Content-Length is {contentLength}")
            : new ReceivedRange(range.First, count, range.Total);

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
}
