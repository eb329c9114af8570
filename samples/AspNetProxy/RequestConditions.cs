using Microsoft.AspNetCore.Http.Headers;
using Microsoft.Net.Http.Headers;

namespace AspNetProxy;

/// <summary>The conditions and the range of a GET or HEAD request (RFC 9110, sections 13 and 14).</summary>
/// <param name="request">The headers of the request.</param>
/// <param name="response">The headers of the response, with the ETag and the last-modified time of the object.</param>
internal sealed class RequestConditions(RequestHeaders request, ResponseHeaders response)
{
    /// <summary>Gets 412 if a precondition fails, 304 if the client already has the object, or 200.</summary>
    public int StatusCode
    {
        get
        {
            bool isOther = request.IfMatch.Count > 0
                ? !request.IfMatch.Any(tag => Matches(tag, isStrong: true))
                : response.LastModified > request.IfUnmodifiedSince;
            bool isKnown = request.IfNoneMatch.Count > 0
                ? request.IfNoneMatch.Any(tag => Matches(tag, isStrong: false))
                : response.LastModified <= request.IfModifiedSince;
            return isOther ? StatusCodes.Status412PreconditionFailed : isKnown ? StatusCodes.Status304NotModified : StatusCodes.Status200OK;
        }
    }

    /// <summary>Gets the requested range.</summary>
    /// <returns>
    /// The range. Its length is 0 if the object has no such bytes. <see langword="null"/> if the whole object must be sent: if there is no range, several ranges (any
    /// server may ignore these), or if <c>If-Range</c> names another version of the object.
    /// </returns>
    public (long Offset, long Length)? GetRange(long total)
    {
        if (request.Range is not { Ranges.Count: 1 } header || !header.Unit.Equals("bytes", StringComparison.OrdinalIgnoreCase) || !IsCurrent(request.IfRange))
        {
            return null;
        }

        RangeItemHeaderValue range = header.Ranges.First();

        // "bytes=10-19", "bytes=10-", or the last bytes as "bytes=-10"
        long first = range.From ?? Math.Max(0, total - range.To!.Value);
        long last = range.From is null ? total - 1 : Math.Min(range.To ?? long.MaxValue, total - 1);
        return (first, Math.Max(0, last - first + 1));
    }

    private bool IsCurrent(RangeConditionHeaderValue? condition)
        => condition is null || (condition.EntityTag is { } tag ? Matches(tag, isStrong: true) : condition.LastModified == response.LastModified);

    private bool Matches(EntityTagHeaderValue tag, bool isStrong)
        => tag.Equals(EntityTagHeaderValue.Any) || (response.ETag is { } current && tag.Compare(current, isStrong));
}
