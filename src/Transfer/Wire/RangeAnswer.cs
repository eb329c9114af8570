using System.Globalization;
using System.Net;

namespace Transfer.Wire;

/// <summary>What a GET was answered with, checked against what it asked: which bytes come, of how many.</summary>
internal readonly record struct RangeAnswer(long Length, long Total)
{
    /// <summary>Whether these are all bytes of the object.</summary>
    public bool IsAll => Length == Total;

    /// <param name="status">The answer's status.</param>
    /// <param name="contentRange">Its Content-Range, if any.</param>
    /// <param name="contentLength">Its Content-Length; negative where it has none.</param>
    /// <param name="requestId">Its request id, if any.</param>
    /// <param name="offset">The first byte that was asked for.</param>
    /// <param name="length">How many were asked for; null for all.</param>
    public static RangeAnswer Check(HttpStatusCode status, string? contentRange, long contentLength, string? requestId, long offset, long? length)
    {
        if (status is not (HttpStatusCode.OK or HttpStatusCode.PartialContent or 0))
        {
            throw Protocol(string.Create(CultureInfo.InvariantCulture, $"the response to a read has status {(int)status}"));
        }

        if (string.IsNullOrEmpty(contentRange))
        {
            if (status == HttpStatusCode.PartialContent)
            {
                // Which bytes these are, or of how many, nobody knows; several ranges in one body come like this too.
                throw Protocol("the response has status 206, but no Content-Range");
            }

            // The store ignored the range, as any server may (RFC 9110, section 14.2).
            return length is not null && offset != 0
                ? throw Protocol($"the store ignored the range that begins at byte {offset}", FailureKind.RangeIgnored)
                : contentLength < 0
                ? throw Protocol("the response does not contain its length")
                : new RangeAnswer(contentLength, contentLength);
        }

        if (!ContentRange.TryParse(contentRange, out ContentRange range))
        {
            throw Protocol($"the Content-Range '{contentRange}' is invalid");
        }

        long last = length is { } l ? Math.Min(offset + l, range.Total) - 1 : range.Total - 1;
        if (range.First != offset || range.Last != last)
        {
            throw Protocol($"bytes {offset}-{last} were requested, but the store returned '{contentRange}'");
        }

        long count = range.Last - range.First + 1;
        return contentLength > 0 && contentLength != count
            ? throw Protocol($"the store announced '{contentRange}', but sends {contentLength} bytes")
            : new RangeAnswer(count, range.Total);

        WireException Protocol(string message, FailureKind kind = FailureKind.Final) => new(kind, message) { StatusCode = status == 0 ? null : status, RequestId = requestId };
    }

    /// <summary>An answer whose body a factory's handler has decompressed: nobody knows any more which of the stored bytes it has.</summary>
    public static WireException Decompressed(HttpStatusCode status, string? requestId) => new(
        FailureKind.Final,
        "the response does not contain its length, probably because the handler of the HttpClientFactory decompresses responses. Set its AutomaticDecompression to DecompressionMethods.None")
    {
        StatusCode = status,
        RequestId = requestId,
    };

    /// <summary>Refuses a web page: what answers there is a web server that was taken for a store.</summary>
    public static void CheckIsS3(HttpStatusCode status, string? etag, string? requestId, string? contentType)
    {
        if (string.IsNullOrEmpty(etag) && string.IsNullOrEmpty(requestId) && contentType?.StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true)
        {
            throw new WireException(FailureKind.Final, "the endpoint answered with a web page: is it an S3 endpoint?") { StatusCode = status };
        }
    }
}
