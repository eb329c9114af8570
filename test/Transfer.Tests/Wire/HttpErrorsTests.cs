using System.Net;
using System.Text;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public class HttpErrorsTests
{
    [Fact]
    public async Task Read_S3Error_HasItsCodeMessageAndRequestId()
    {
        WireException e = await ReadAsync(
            HttpStatusCode.NotFound, "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>It is not there.</Message><Key>k</Key><RequestId>R1</RequestId></Error>");

        Assert.EachEqual((FailureKind.Final, "NoSuchKey", "R1", HttpStatusCode.NotFound), (e.Kind, e.ErrorCode, e.RequestId, e.StatusCode));
        Assert.Equal("NoSuchKey: It is not there.", e.Message);
    }

    [Theory]
    [InlineData("\n  <?xml version=\"1.0\"?><Error><Code>SlowDown</Code></Error>", "SlowDown")]
    [InlineData("<Error xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Code>InternalError</Code></Error>", "InternalError")]
    [InlineData("<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><Error><Code>&e;</Code></Error>", null)]
    [InlineData("<html><body>Not here</body></html>", null)]
    [InlineData("<Error><Code>Cut", null)]
    [InlineData("plain text", null)]
    [InlineData("", null)]
    public async Task Read_AnyBody_HasTheCodeOrNone(string body, string? code)
        => Assert.Equal(code, (await ReadAsync(HttpStatusCode.BadGateway, body)).ErrorCode);

    [Fact]
    public async Task Read_NotAnS3Error_MessageAsksWhetherItIsAnS3Endpoint()
        => Assert.Contains("is it an S3 endpoint", (await ReadAsync(HttpStatusCode.NotFound, "<html/>")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(HttpStatusCode.RequestEntityTooLarge, "a proxy before the store rejects requests of this size")]
    [InlineData(HttpStatusCode.BadGateway, "a proxy before the store could not reach the store")]
    [InlineData(HttpStatusCode.GatewayTimeout, "a proxy before the store could not reach the store")]
    public async Task Read_ErrorOfAProxy_MessageTellsItsCause(HttpStatusCode status, string message)
        => Assert.Contains(message, (await ReadAsync(status, "<html/>")).Message, StringComparison.Ordinal);

    /// <summary>The response to a HEAD request has no body, and s3rver sends no request ID.</summary>
    [Theory]
    [InlineData("HEAD", "there is no such object")]
    [InlineData("GET", "is it an S3 endpoint")]
    public async Task Read_NotFoundWithoutBody_DependsOnTheMethod(string method, string message)
    {
        using HttpResponseMessage response = new(HttpStatusCode.NotFound) { RequestMessage = new HttpRequestMessage(new HttpMethod(method), "http://store/b/k") };

        Assert.Contains(message, (await HttpErrors.ReadAsync(response, TimeProvider.System, CancellationToken.None)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Retry-After", "7")]
    [InlineData("X-Amz-Retry-After", "7000")]
    public async Task Read_RetryAfter_IsKept(string header, string value)
    {
        using HttpResponseMessage response = new(HttpStatusCode.ServiceUnavailable) { Content = new ByteArrayContent([]) };
        response.Headers.TryAddWithoutValidation(header, value);

        Assert.Equal(TimeSpan.FromSeconds(7), (await HttpErrors.ReadAsync(response, TimeProvider.System, CancellationToken.None)).RetryAfter);
    }

    [Theory]
    [InlineData(HttpStatusCode.ServiceUnavailable, "SlowDownRead", FailureKind.Throttled)]
    [InlineData(HttpStatusCode.TooManyRequests, null, FailureKind.Throttled)]
    [InlineData(HttpStatusCode.InternalServerError, "InternalError", FailureKind.Transient)]
    [InlineData(HttpStatusCode.GatewayTimeout, null, FailureKind.Transient)]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented", FailureKind.Final)]
    [InlineData(HttpStatusCode.BadRequest, "RequestTimeout", FailureKind.Transient)]
    [InlineData(HttpStatusCode.RequestTimeout, null, FailureKind.Transient)]
    [InlineData(HttpStatusCode.RequestTimeout, "RequestTimeout", FailureKind.Transient)]
    [InlineData(HttpStatusCode.BadRequest, "BadDigest", FailureKind.Corrupt)]
    [InlineData(HttpStatusCode.Conflict, "OperationAborted", FailureKind.Transient)]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", FailureKind.Final)]
    [InlineData(HttpStatusCode.PreconditionFailed, "PreconditionFailed", FailureKind.PreconditionFailed)]
    [InlineData(HttpStatusCode.RequestedRangeNotSatisfiable, "InvalidRange", FailureKind.RangeNotSatisfiable)]
    public void Kind_AnyStatusAndCode_IsClassified(HttpStatusCode status, string? code, object kind) => Assert.Equal(kind, ErrorKinds.Classify(status, code));

    private static async Task<WireException> ReadAsync(HttpStatusCode status, string body)
    {
        using HttpResponseMessage response = new(status) { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body)) };
        return await HttpErrors.ReadAsync(response, TimeProvider.System, CancellationToken.None);
    }
}
