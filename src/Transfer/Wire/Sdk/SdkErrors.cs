using System.Net;
using System.Net.Sockets;
using System.Xml;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;

namespace Transfer.S3.Wire.Sdk;

/// <summary>Converts the AWS SDK's exceptions to <see cref="WireException"/>.</summary>
internal static class SdkErrors
{
    public static WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        // Only the caller's token is a cancellation. Timeouts of the SDK and of HttpClient use the same exception type.
        cancellationToken.ThrowIfCancellationRequested();
        return e switch
        {
            WireException wire => wire,
            // The SDK parses only the body of a success.
            AmazonUnmarshallingException or XmlException => new WireException(
                FailureKind.NotStore, $"the endpoint did not respond as S3 does: is it an S3 endpoint? ({e.Message})", e)
            {
                StatusCode = HttpStatusCode.OK,
            },
            _ when IsOfProvider(e) || IsOfProvider(e.InnerException) => new WireException(FailureKind.NoCredentials, e.Message, e),
            AmazonServiceException service => FromService(service),
            HttpRequestException http => ErrorKinds.OfConnection(http),
            OperationCanceledException => new WireException(FailureKind.Transient, "the request timed out", e),
            IOException or SocketException => new WireException(FailureKind.Transient, $"the connection was closed unexpectedly: {e.Message}", e),
            AmazonClientException client when client.InnerException is HttpRequestException inner => ErrorKinds.OfConnection(inner),
            AmazonClientException => new WireException(FailureKind.Final, e.Message, e),
            _ => new WireException(FailureKind.Final, e.Message, e),
        };
    }

    /// <summary>Creates the error in the body of a response whose status is a success.</summary>
    public static WireException FromBody(HttpStatusCode status, Http.ErrorBody error, string? requestId)
        => new(ErrorKinds.Classify(status, error.Code), string.IsNullOrEmpty(error.Message) ? error.Code! : $"{error.Code}: {error.Message}")
        {
            StatusCode = status == 0 ? null : status,
            ErrorCode = error.Code,
            RequestId = string.IsNullOrEmpty(requestId) ? error.RequestId : requestId,
        };

    /// <summary>Returns whether an exception is that of a service that the SDK gets credentials from, such as the Security Token Service.</summary>
    private static bool IsOfProvider(Exception? e)
        => e is AmazonServiceException and not AmazonS3Exception && e.GetType().Namespace is { } name && name is not "Amazon.Runtime" && !name.StartsWith("Amazon.S3", StringComparison.Ordinal);

    private static WireException FromService(AmazonServiceException e)
    {
        if (e.InnerException is HttpRequestException { StatusCode: null } http && e.StatusCode == 0)
        {
            return ErrorKinds.OfConnection(http);
        }

        bool isS3 = !string.IsNullOrEmpty(e.RequestId) || e is AmazonS3Exception { AmazonId2.Length: > 0 } || IsS3Code(e);
        Redirection? elsewhere = Elsewhere(e);
        return new WireException(ErrorKinds.Classify(e.StatusCode, e.ErrorCode), (isS3 || elsewhere is not null ? Describe(e) : ErrorKinds.NotS3(e.StatusCode)) + elsewhere?.Text, e)
        {
            StatusCode = e.StatusCode == 0 ? null : e.StatusCode,
            ErrorCode = isS3 ? e.ErrorCode : null,
            RequestId = string.IsNullOrEmpty(e.RequestId) ? null : e.RequestId,
            Elsewhere = elsewhere,
            Hint = ErrorKinds.GetHint(e.ErrorCode),
            RetryAfter = e.InnerException is HttpErrorResponseException { Response: { } answer } ? RetryAfter.Read(answer.GetHeaderValue) : null,
        };
    }

    /// <summary>Gets the region of the bucket if the request was sent to another one; null if the error is another one, or if the store didn't return the region.</summary>
    private static Redirection? Elsewhere(AmazonServiceException e)
    {
        string? region = (e.InnerException as HttpErrorResponseException)?.Response?.GetHeaderValue("x-amz-bucket-region") is { Length: > 0 } header
            ? header
            : Redirection.ExpectedRegion(e.ErrorCode, e.Message);
        bool isElsewhere = (int)e.StatusCode is 301 or 302 or 307 or 308
            || e.ErrorCode is "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" or "PermanentRedirect" or "TemporaryRedirect"
            || (e.StatusCode == HttpStatusCode.BadRequest && !IsS3Code(e));
        return isElsewhere && !string.IsNullOrEmpty(region) ? new Redirection(region, Location: null, IsLasting: true) : null;
    }

    /// <summary>The SDK's message for a response without an S3 error.</summary>
    private const string NoErrorInformation = "No further error information was returned by the service";

    /// <summary>
    /// Returns whether the error code is that of a store. Without an S3 error in the body, the SDK uses the name of the status as the code, but some codes of S3, such
    /// as NotImplemented, are names of statuses too.
    /// </summary>
    private static bool IsS3Code(AmazonServiceException e)
        => !string.IsNullOrEmpty(e.ErrorCode)
            && (!Enum.TryParse<HttpStatusCode>(e.ErrorCode, out _) || !e.Message.Contains(NoErrorInformation, StringComparison.Ordinal));

    private static string Describe(AmazonServiceException e)
        => string.IsNullOrEmpty(e.ErrorCode) || e.Message.Contains(e.ErrorCode, StringComparison.Ordinal)
            ? e.Message
            : $"{e.ErrorCode}: {e.Message}";
}
