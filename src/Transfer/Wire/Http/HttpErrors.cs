using System.Globalization;
using System.Net;
using System.Xml;

namespace Transfer.S3.Wire.Http;

/// <summary>Reads error responses. The length of their body is limited, and its XML has no document type.</summary>
internal static class HttpErrors
{
    private const int MaxBodyBytes = 64 * 1024;

    /// <summary>The time that the body of an error has. Its status is known already, and some requests are allowed to be silent for minutes.</summary>
    private static readonly TimeSpan BodyTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Reads the error of a response whose status is not a success.</summary>
    public static async Task<WireException> ReadAsync(HttpResponseMessage response, TimeProvider time, CancellationToken cancellationToken)
    {
        if ((int)response.StatusCode < 200)
        {
            return OfOtherProtocol(response.StatusCode);
        }

        ErrorBody error = default;
        using CancellationTokenSource timeout = new(BodyTimeout, time);
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            error = Parse(await ReadBoundedAsync(response, either.Token).ConfigureAwait(false));
        }
        catch (Exception e) when (e is XmlException or IOException or HttpRequestException || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // The error is created from the status alone.
        }

        return ToException(response, error);
    }

    /// <summary>Reads the error in the body of a response whose status is a success; null if there is none.</summary>
    /// <param name="response">The response. A body that isn't an error can still be read from it afterward.</param>
    /// <param name="isRead">Whether the body is converted as XML later, which finds an error too.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static ValueTask<WireException?> ReadHiddenAsync(HttpResponseMessage response, bool isRead, CancellationToken cancellationToken)
    {
        bool isPossible = !isRead
            && response.StatusCode != HttpStatusCode.NoContent
            && HiddenError.IsPossible(
                S3ResponseHeaders.Get(response, "ETag"), S3ResponseHeaders.Content(response, "Last-Modified") is not null, response.Content.Headers.ContentLength ?? -1);
        return isPossible ? FindAsync(response, cancellationToken) : ValueTask.FromResult<WireException?>(null);

        static async ValueTask<WireException?> FindAsync(HttpResponseMessage response, CancellationToken cancellationToken)
        {
            Stream content = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            (ErrorBody error, Stream body) = await HiddenError.FindAsync(content, cancellationToken).ConfigureAwait(false);
            if (error.Code is not null)
            {
                return ToException(response, error);
            }

            response.Content = new ReplayedContent(response.Content, body);
            return null;
        }
    }

    /// <summary>Gets the error in a body; null if the body isn't an error.</summary>
    /// <exception cref="XmlException">Thrown when the body is invalid XML.</exception>
    public static WireException? InBody(HttpResponseMessage response, byte[] body)
        => Parse(body) is { Code: not null } error ? ToException(response, error) : null;

    /// <summary>Creates the error of a final response with an interim status: the connection was switched to another protocol, and what follows isn't a body.</summary>
    public static WireException OfOtherProtocol(HttpStatusCode status) => new(
        FailureKind.Transient, string.Create(CultureInfo.InvariantCulture, $"the response of the endpoint is not valid HTTP: status {(int)status} was not requested"));

    private static WireException ToException(HttpResponseMessage response, ErrorBody error)
    {
        if (error.Code is null && S3ResponseHeaders.Get(response, "x-minio-error-code") is { Length: > 0 } told)
        {
            // The error of a HEAD request has no body, but MinIO returns its code and message in headers.
            error = error with { Code = told, Message = S3ResponseHeaders.Get(response, "x-minio-error-desc")?.Trim('"') };
        }

        string? code = error.Code;
        string? requestId = S3ResponseHeaders.RequestId(response) ?? error.RequestId;
        Redirection? elsewhere = Redirections.Find(response, error);
        bool isS3 = code is not null || requestId is not null || S3ResponseHeaders.ExtendedRequestId(response) is not null
            || elsewhere is { Region: not null } or { Location: not null };
        string text = !isS3 && response is { StatusCode: HttpStatusCode.NotFound, RequestMessage.Method.Method: "HEAD" } ? ErrorKinds.NoObject
            : !isS3 ? ErrorKinds.NotS3(response.StatusCode)
            : code is null ? string.Create(CultureInfo.InvariantCulture, $"status {(int)response.StatusCode} ({response.ReasonPhrase})")
            : string.IsNullOrEmpty(error.Message) ? code : $"{code}: {RequestSecrets.Hide(error.Message, response.RequestMessage)}";
        return new WireException(ErrorKinds.Classify(response.StatusCode, code), text + elsewhere?.Text)
        {
            StatusCode = response.StatusCode,
            ErrorCode = code,
            RequestId = requestId,
            Hint = ErrorKinds.GetHint(code),
            Elsewhere = elsewhere,
            ReceivedHost = EndpointHints.ReceivedHost(error.CanonicalRequest),
            RetryAfter = RetryAfter.Read(name => S3ResponseHeaders.Get(response, name)),
        };
    }

    /// <summary>Parses an S3 error. All values are null if the text isn't one.</summary>
    internal static ErrorBody Parse(byte[] body)
        => body.AsSpan().TrimStart(" \t\r\n"u8) is not [(byte)'<', ..] || ResponseElement.ReadLeniently(body, "Error") is not { } error
            ? default
            : new ErrorBody(error.Text("Code"), error.Text("Message"), error.Text("RequestId"), error.Text("Region"), error.Text("Endpoint"), error.Text("CanonicalRequest"));

    private static async Task<byte[]> ReadBoundedAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        byte[] body = new byte[MaxBodyBytes];
        IResponseWatch? watch = ResponseWatch.Current;
        int count = 0;
        int read;
        do
        {
            read = await stream.ReadAsync(body.AsMemory(count), cancellationToken).ConfigureAwait(false);
            watch?.BytesArrived(read);
            count += read;
        }
        while (read > 0 && count < body.Length && !XmlEnd.IsAt(body.AsSpan(0, count), body.AsSpan(0, count)));
        return body[..count];
    }
}
