using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests;

/// <summary>Programs decide by the kind of an error, and never by its message.</summary>
public sealed class TransferErrorTests : TransferTest
{
    [Theory]
    [InlineData(HttpStatusCode.NotFound, "NoSuchKey", TransferError.ObjectNotFound)]
    [InlineData(HttpStatusCode.NotFound, null, TransferError.ObjectNotFound)]
    [InlineData(HttpStatusCode.NotFound, "NoSuchBucket", TransferError.BucketNotFound)]
    [InlineData(HttpStatusCode.NotFound, "NoSuchUpload", TransferError.Other)]
    [InlineData(HttpStatusCode.Forbidden, "AccessDenied", TransferError.AccessDenied)]
    [InlineData(HttpStatusCode.Forbidden, null, TransferError.AccessDenied)]
    [InlineData(HttpStatusCode.Forbidden, "InvalidAccessKeyId", TransferError.Credentials)]
    [InlineData(HttpStatusCode.Forbidden, "SignatureDoesNotMatch", TransferError.Credentials)]
    [InlineData(HttpStatusCode.BadRequest, "ExpiredToken", TransferError.Credentials)]
    [InlineData(HttpStatusCode.Forbidden, "RequestTimeTooSkewed", TransferError.Credentials)]
    [InlineData(HttpStatusCode.Forbidden, "InvalidObjectState", TransferError.Archived)]
    [InlineData(HttpStatusCode.ServiceUnavailable, "SlowDown", TransferError.Throttled)]
    [InlineData(HttpStatusCode.TooManyRequests, null, TransferError.Throttled)]
    [InlineData(HttpStatusCode.InternalServerError, "InternalError", TransferError.Other)]
    public void Error_OfResponse_FollowsFromStatusAndCode(HttpStatusCode status, string? code, TransferError expected)
    {
        WireException failure = new(ErrorKinds.Classify(status, code), "message") { StatusCode = status, ErrorCode = code };

        Assert.Equal(expected, new TransferException("message", new ObjectAddress("bucket", "key"), failure).Error);
    }

    [Fact]
    public void Error_WithoutResponse_IsOfConnection()
    {
        WireException failure = ErrorKinds.OfConnection(new HttpRequestException(HttpRequestError.ConnectionError, "refused"));

        Assert.Equal(TransferError.Connection, new TransferException("message", new ObjectAddress("bucket", "key"), failure).Error);
    }

    [Fact]
    public void Error_WithoutCredentials_IsOfCredentials()
    {
        WireException failure = new(FailureKind.NoCredentials, "no credentials");

        Assert.Equal(TransferError.Credentials, new TransferException("message", new ObjectAddress("bucket", "key"), failure).Error);
    }

    [Fact]
    public void Error_OfTypes_NamesTheType()
    {
        Assert.Equal(TransferError.PreconditionFailed, new TransferException("message") { Error = TransferError.PreconditionFailed }.Error);
        Assert.Equal(TransferError.ObjectChanged, new TransferException("message") { Error = TransferError.ObjectChanged, StatusCode = HttpStatusCode.NotFound }.Error);
        Assert.Equal(TransferError.NotModified, new TransferException("message") { Error = TransferError.NotModified }.Error);
        Assert.Equal(TransferError.ChecksumMismatch, new ChecksumMismatchException("message").Error);
        Assert.Equal(TransferError.Other, new TransferException("message").Error);
    }

    [Fact]
    public async Task Download_NoSuchKey_IsNotFound()
    {
        TransferClient client = NewClient();

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, "missing", Stream.Null).Within());

        Assert.Equal(TransferError.ObjectNotFound, e.Error);
    }
}
