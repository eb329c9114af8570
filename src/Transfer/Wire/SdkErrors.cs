using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire;

/// <summary>Makes of the AWS SDK's exceptions what the transfers act on.</summary>
internal static class SdkErrors
{
    public static WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        // Only the caller's own token is a cancellation; the SDK's and HttpClient's time-outs use the same type.
        cancellationToken.ThrowIfCancellationRequested();
        return e switch
        {
            WireException wire => wire,
            AmazonServiceException service => FromService(service),
            HttpRequestException http => FromHttp(http),
            OperationCanceledException => new WireException(FailureKind.Transient, "the request timed out", e),
            IOException or SocketException => new WireException(FailureKind.Transient, $"the connection broke: {e.Message}", e),
            AmazonClientException client when client.InnerException is HttpRequestException inner => FromHttp(inner),
            AmazonClientException => new WireException(FailureKind.Final, e.Message, e),
            _ => new WireException(FailureKind.Final, e.Message, e),
        };
    }

    private static WireException FromService(AmazonServiceException e)
    {
        if (e.InnerException is HttpRequestException { StatusCode: null } http && e.StatusCode == 0)
        {
            return FromHttp(http);
        }

        FailureKind kind = (int)e.StatusCode switch
        {
            412 => FailureKind.PreconditionFailed,
            416 => FailureKind.RangeNotSatisfiable,
            429 or 503 => FailureKind.Throttled,
            >= 500 and not 501 => FailureKind.Transient,
            _ => e.ErrorCode switch
            {
                // AWS sends RequestTimeout as 400; OperationAborted is 409 and passes.
                "RequestTimeout" or "OperationAborted" or "InternalError" => FailureKind.Transient,
                "SlowDown" or "ServiceUnavailable" => FailureKind.Throttled,
                "BadDigest" or "XAmzContentChecksumMismatch" or "XAmzContentSHA256Mismatch" => FailureKind.Corrupt,
                _ => FailureKind.Final,
            },
        };
        bool isS3 = !string.IsNullOrEmpty(e.RequestId) || e is AmazonS3Exception { AmazonId2.Length: > 0 } || IsS3Code(e.ErrorCode);
        return new WireException(kind, isS3 ? Describe(e) : NotS3(e), e)
        {
            StatusCode = e.StatusCode == 0 ? null : e.StatusCode,
            ErrorCode = isS3 ? e.ErrorCode : null,
            RequestId = string.IsNullOrEmpty(e.RequestId) ? null : e.RequestId,
        };
    }

    // Without a body (HEAD) the SDK fills the code with the status's name, which every web server has too.
    private static bool IsS3Code(string? code)
        => !string.IsNullOrEmpty(code) && !Enum.TryParse<HttpStatusCode>(code, out _);

    private static string Describe(AmazonServiceException e)
        => string.IsNullOrEmpty(e.ErrorCode) || e.Message.Contains(e.ErrorCode, StringComparison.Ordinal)
            ? e.Message
            : $"{e.ErrorCode}: {e.Message}";

    private static string NotS3(AmazonServiceException e)
        => $"the endpoint answered with status {(int)e.StatusCode} and no S3 error: is it an S3 endpoint?";

    private static WireException FromHttp(HttpRequestException e)
    {
        bool tls = e.HttpRequestError == HttpRequestError.SecureConnectionError || e.InnerException is AuthenticationException;
        bool notHttp = e.HttpRequestError == HttpRequestError.InvalidResponse;
        string what = e.HttpRequestError switch
        {
            _ when tls => $"no TLS connection to the endpoint: {(e.InnerException ?? e).Message}",
            HttpRequestError.NameResolutionError => $"the endpoint's name could not be resolved: {e.Message}",
            HttpRequestError.ConnectionError => $"no connection to the endpoint: {e.Message}",
            HttpRequestError.InvalidResponse => $"the endpoint does not speak HTTP: {e.Message}",
            _ => $"the request failed: {e.Message}",
        };
        return new WireException(tls || notHttp ? FailureKind.Final : FailureKind.Transient, what, e);
    }
}
