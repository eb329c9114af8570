using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>The conditions of a read or of a copy source; null for those that the request doesn't contain.</summary>
internal readonly record struct ReadCondition(
    string? IfMatch,
    string? IfNoneMatch,
    DateTimeOffset? IfModifiedSince,
    DateTimeOffset? IfUnmodifiedSince)
{
    public static ReadCondition From(S3Exchange exchange, string prefix = "") =>
        new(
            exchange.Header(prefix + "if-match"),
            exchange.Header(prefix + "if-none-match"),
            HttpDate.Parse(exchange.Header(prefix + "if-modified-since")),
            HttpDate.Parse(exchange.Header(prefix + "if-unmodified-since")));

    /// <summary>
    /// Gets the name of the condition that fails with 412; null if there is none. An ETag takes precedence over a date (RFC 9110, section 13.2.2).
    /// </summary>
    public string? Failed(StoredObject value)
    {
        if (IfMatch is not null)
        {
            return ETags.Matches(IfMatch, value.ETag) ? null : "If-Match";
        }

        return IfUnmodifiedSince < value.LastModified ? "If-Unmodified-Since" : null;
    }

    /// <summary>Gets the name of the condition that results in 304 Not Modified; null if there is none.</summary>
    public string? NotModified(StoredObject value)
    {
        if (IfNoneMatch is not null)
        {
            return ETags.Matches(IfNoneMatch, value.ETag) ? "If-None-Match" : null;
        }

        return IfModifiedSince >= value.LastModified ? "If-Modified-Since" : null;
    }
}
