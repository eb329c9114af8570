using System.Net;

namespace Transfer.S3.Wire;

/// <summary>Recognizes errors that a store returns for what it doesn't support. They look like errors of the request, so they show it only if the request succeeds without it.</summary>
/// <remarks>
/// Amazon S3 names NotImplemented, MethodNotAllowed, InvalidArgument, InvalidRequest, and MalformedXML (Amazon S3 API Reference, "Error responses"). Cloudflare R2 and others
/// return UnsupportedHeader.
/// </remarks>
internal static class Refusals
{
    /// <summary>Returns whether the store may not support the operation.</summary>
    /// <param name="status">The status of the response.</param>
    /// <param name="code">The error code; null if there was none.</param>
    public static bool IsOfOperation(HttpStatusCode? status, string? code)
        => status is HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed || code is "NotImplemented" or "MethodNotAllowed";

    /// <summary>Returns whether the store may not support a header, or a value of it, or an element of the body. Without an error code, status 400 can be that of a proxy.</summary>
    /// <param name="status">The status of the response. The results of a batch have none.</param>
    /// <param name="code">The error code; null if there was none.</param>
    public static bool IsOfValue(HttpStatusCode? status, string? code)
        => status == HttpStatusCode.NotImplemented
            || (status is null or HttpStatusCode.BadRequest or HttpStatusCode.OK
                && code is "NotImplemented" or "InvalidArgument" or "InvalidRequest" or "UnsupportedHeader" or "InvalidDigest" or "MalformedXML");
}
