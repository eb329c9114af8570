using System.Globalization;
using System.Net;

namespace Transfer.S3.Wire;

/// <summary>Classifies errors, by the error code of the store and then by the status (Amazon S3 API Reference, "Error responses").</summary>
internal static class ErrorKinds
{
    /// <summary>
    /// The error of a conditional write or deletion while another one of the same key was in progress (Amazon S3 User Guide, "Add preconditions to S3 operations with
    /// conditional requests").
    /// </summary>
    public const string Conflict = "ConditionalRequestConflict";

    /// <summary>The error of an object that can't be read before it is restored from an archive (Amazon S3 API Reference, "Error responses").</summary>
    public const string Archived = "InvalidObjectState";

    /// <summary>Gets what to do about an error that was still returned to the last attempt; null if nothing is known.</summary>
    public static string? GetHint(string? code) => code == Conflict ? "another write of the key was in progress; run it again" : null;

    /// <summary>Returns whether an error says that there is no such object. The response to a HEAD request has no code, for which the SDK uses the name of the status.</summary>
    public static bool IsOfMissingObject(HttpStatusCode? status, string? code) => status == HttpStatusCode.NotFound && code is null or "NoSuchKey" or nameof(HttpStatusCode.NotFound);

    /// <summary>Gets what a response says to those who don't retry (Amazon S3 API Reference, "Error responses").</summary>
    public static TransferError GetError(HttpStatusCode? status, string? code) => code switch
    {
        "NoSuchBucket" => TransferError.BucketNotFound,
        Archived => TransferError.Archived,
        "InvalidAccessKeyId" or "SignatureDoesNotMatch" => TransferError.Credentials,
        "SlowDown" => TransferError.Throttled,
        _ when PassesWithCredentials(code) => TransferError.Credentials,
        _ => status switch
        {
            HttpStatusCode.Forbidden => TransferError.AccessDenied,
            HttpStatusCode.ServiceUnavailable or HttpStatusCode.TooManyRequests => TransferError.Throttled,
            _ => TransferError.Other,
        },
    };

    public static FailureKind Classify(HttpStatusCode status, string? code) => (int)status switch
    {
        304 => FailureKind.NotModified,
        412 => FailureKind.PreconditionFailed,
        408 => FailureKind.Transient,
        416 => FailureKind.RangeNotSatisfiable,
        429 or 503 => FailureKind.Throttled,
        >= 500 and not 501 => FailureKind.Transient,
        _ => code switch
        {
            // Amazon S3 returns RequestTimeout with status 400. The others have status 409 and are temporary: another request for the key was in progress.
            "RequestTimeout" or "InternalError" or "OperationAborted" or Conflict => FailureKind.Transient,
            "SlowDown" or "ServiceUnavailable" => FailureKind.Throttled,
            "BadDigest" or "XAmzContentChecksumMismatch" or "XAmzContentSHA256Mismatch" => FailureKind.Corrupt,
            _ => FailureKind.Final,
        },
    };

    /// <summary>Returns whether the same request could succeed with new credentials or a correct clock.</summary>
    public static bool PassesWithCredentials(string? code)
        => IsOfCredentials(code) || code == "RequestTimeTooSkewed";

    /// <summary>Returns whether the store rejected the credentials because they are no longer valid.</summary>
    public static bool IsOfCredentials(string? code) => code is "ExpiredToken" or "ExpiredTokenException" or "InvalidToken" or "InvalidTokenId" or "TokenRefreshRequired";

    /// <summary>Describes a response without an S3 error. Some statuses are those of a proxy before the store.</summary>
    public static string NotS3(HttpStatusCode status) => status switch
    {
        HttpStatusCode.RequestEntityTooLarge => "a proxy before the store rejects requests of this size (status 413)",
        HttpStatusCode.BadGateway or HttpStatusCode.GatewayTimeout => string.Create(
            CultureInfo.InvariantCulture, $"a proxy before the store could not reach the store (status {(int)status})"),
        _ => string.Create(CultureInfo.InvariantCulture, $"the endpoint responded with status {(int)status} and no S3 error: is it an S3 endpoint?"),
    };

    /// <summary>The description of status 404 in the response to a HEAD request. It has no body, and some stores send no headers of S3.</summary>
    public const string NoObject = "there is no such object or bucket (status 404)";

    /// <summary>Converts the error of a request without a response.</summary>
    public static WireException OfConnection(HttpRequestException e)
    {
        if (TlsFailures.Find(e) is { } tls)
        {
            return tls;
        }

        string what = e.HttpRequestError switch
        {
            HttpRequestError.NameResolutionError => $"the name of the endpoint could not be resolved: {e.Message}",
            HttpRequestError.ConnectionError => $"could not connect to the endpoint: {e.Message}",
            HttpRequestError.ConfigurationLimitExceeded => $"the response is larger than any S3 response: {e.Message}",
            HttpRequestError.InvalidResponse => $"the response of the endpoint is not valid HTTP: {e.Message}",
            _ => $"the request failed: {e.Message}",
        };

        // A single response that isn't HTTP can be caused by one machine behind a load balancer, or by one connection.
        return new WireException(FailureKind.Transient, what, e)
        {
            IsOfConnecting = e.HttpRequestError is HttpRequestError.NameResolutionError or HttpRequestError.ConnectionError,
        };
    }
}
