using System.Net;
using Amazon.S3;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Stores;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.Tests.Wire;

public sealed class SdkErrorsTests
{
    /// <summary>Codes of S3 can have the name of a status, and a store may send no request ID.</summary>
    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(HttpStatusCode.ServiceUnavailable, "ServiceUnavailable")]
    [InlineData(HttpStatusCode.BadRequest, "InvalidArgument")]
    public async Task S3Error_WithoutRequestId_HasItsCode(HttpStatusCode status, string code)
    {
        WireException e = await FailAsync(status, $"<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>no</Message></Error>", "application/xml");

        Assert.EachEqual((status, code, $"{code}: no"), (e.StatusCode, e.ErrorCode, e.Message));
    }

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "", "is it an S3 endpoint")]
    [InlineData(HttpStatusCode.NotImplemented, "<html><body>NotImplemented</body></html>", "is it an S3 endpoint")]
    [InlineData(HttpStatusCode.RequestEntityTooLarge, "<html><body>413</body></html>", "a proxy before the store rejects requests of this size")]
    [InlineData(HttpStatusCode.BadGateway, "<html><body>502</body></html>", "a proxy before the store could not reach the store")]
    public async Task OtherError_MessageTellsItsCause(HttpStatusCode status, string body, string message)
    {
        WireException e = await FailAsync(status, body, "text/html");

        Assert.Null(e.ErrorCode);
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    private static async Task<WireException> FailAsync(HttpStatusCode status, string body, string type)
    {
        FakeHttp http = new(_ =>
        {
            HttpResponseMessage response = FakeHttp.Answer(status, body, type);
            response.Headers.Remove("x-amz-request-id");
            return response;
        });
        using AmazonS3Client s3 = http.NewS3();
        SdkWire wire = new(s3, WireSettings.Default, new StoreProfile(TimeProvider.System, NullLogger.Instance));
        return await Assert.ThrowsAsync<WireException>(() => wire.ListUploadsAsync(FakeHttp.Bucket, string.Empty, null, CancellationToken.None));
    }
}
