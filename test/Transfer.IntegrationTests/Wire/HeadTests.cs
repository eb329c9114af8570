using System.Globalization;
using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>
/// HEAD requests over the library's connections. Their errors have no body, so the cause is determined from the rest of the response.
/// </summary>
public class HeadTests : WireTest
{
    private const string Object = "HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Length: 12345";

    [Fact]
    public async Task Info_HasTheValuesOfTheHeaders()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of(
            $"{Object}\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\nContent-Type: text/x\r\nx-amz-version-id: v1\r\nx-amz-meta-Who: me\r\nx-amz-checksum-crc32c: AAAAAA==\r\n"
            + "x-amz-checksum-type: FULL_OBJECT"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        for (int i = 0; i < 3; i++)
        {
            ObjectInfo info = await client.GetInfoAsync(Bucket, Key, new ObjectAccessOptions { VersionId = "v 1" }).Within();

            Assert.EachEqual((12345, "\"e\"", "v1", "text/x"), (info.Length, info.ETag, info.VersionId, info.ContentType));
            Assert.Equal(new DateTimeOffset(2015, 10, 21, 7, 28, 0, TimeSpan.Zero), info.LastModified);
            Assert.Equal([new("who", "me")], info.Metadata);
            Assert.Equal(new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc32C, Value = "AAAAAA==", IsComposite = false }, info.Checksum);
        }

        Assert.All(server.Requests, request => Assert.EachEqual(("HEAD", "/bucket/a%20folder/key?versionId=v%201"), (request.Method, request.Target)));
        Assert.All(server.Requests, request => Assert.Equal("ENABLED", request.Header("x-amz-checksum-mode")));
        Assert.Equal(1, server.Connections);
    }

    [Fact]
    public async Task Info_OfAnArchivedObject_HasItsState()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of(
            $"{Object}\r\nx-amz-storage-class: GLACIER\r\nx-amz-restore: ongoing-request=\"false\", expiry-date=\"Wed, 21 Oct 2015 07:28:00 GMT\"\r\nx-amz-tagging-count: 3\r\nExpires: soon\r\n"
            + "x-amz-server-side-encryption: aws:kms\r\nx-amz-version-id:"));
        using AmazonS3Client s3 = S3(server.Url);
        foreach (TransferWire wire in (TransferWire[])[TransferWire.Auto, TransferWire.Sdk])
        {
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });

            ObjectInfo info = await client.GetInfoAsync(Bucket, Key).Within();

            Assert.EachEqual(("GLACIER", "aws:kms", 3, "soon", null, null), (info.StorageClass, info.Encryption, info.TagCount, info.ExpiresText, info.Expires, info.VersionId));
            Assert.Equal(new RestoreState { IsInProgress = false, Until = new DateTimeOffset(2015, 10, 21, 7, 28, 0, TimeSpan.Zero) }, info.Restore);
        }
    }

    [Fact]
    public async Task SilentStore_EndsAfterTheStallTimeout()
    {
        TaskCompletionSource<ScriptedAnswer> end = new();
        await using ScriptedServer server = new(_ => end.Task);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { StallTimeout = TimeSpan.FromSeconds(1), MaxAttempts = 1 });

        foreach (Task call in (Task[])[client.GetInfoAsync(Bucket, Key), client.ListPartsAsync(Bucket, Key).ToListAsync().AsTask(), client.ListBucketsAsync().ToListAsync().AsTask()])
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => call.Within());
            Assert.Contains("no data was transferred for 1 s", e.Message, StringComparison.Ordinal);
        }

        end.SetResult(ScriptedAnswer.Error(500, "InternalError"));
    }

    [Fact]
    public async Task Info_MissingOrInvalidHeaders_AreNull()
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Of(
            request.Target.Contains("odd", StringComparison.Ordinal) ? $"{Object}\r\nExpires: 0\r\nCache-Control: max-age=0, private" : Object));
        using AmazonS3Client s3 = S3(server.Url);
        foreach (TransferWire wire in (TransferWire[])[TransferWire.Auto, TransferWire.Sdk])
        {
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });

            ObjectInfo none = await client.GetInfoAsync(Bucket, Key).Within();
            ObjectInfo odd = await client.GetInfoAsync(Bucket, "odd").Within();

            Assert.EachEqual((null, null, null, null, null), (none.CacheControl, none.ContentDisposition, none.ContentEncoding, none.ContentLanguage, none.Expires));
            Assert.EachEqual(("max-age=0, private", null), (odd.CacheControl, odd.Expires));
        }
    }

    [Fact]
    public async Task WebPage_Throws()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        Assert.Contains("web page", (await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within())).Message, StringComparison.Ordinal);
    }

    /// <summary>A proxy that sends bodies in chunks removes the length from the response to HEAD. The first byte then shows the length.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1000)]
    public async Task NoLength_IsReadFromTheFirstByte(int length)
    {
        byte[] content = Sample.Bytes(length);
        await using ScriptedServer server = new(request
            => request.Method == "HEAD" ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nTransfer-Encoding: chunked")
            : request.RangeStart is null ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nTransfer-Encoding: chunked", "0\r\n\r\n"u8.ToArray())
            : ScriptedAnswer.Range(request, content));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        ObjectInfo info = await client.GetInfoAsync(Bucket, Key).Within();

        Assert.EachEqual((length, "\"e\""), (info.Length, info.ETag));
        Assert.Equal(length == 0 ? ["HEAD", "GET", "GET"] : ["HEAD", "GET"], server.Requests.Select(request => request.Method));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task Clock_IsWrong_IsCorrectedByTheClockOfTheStore(int hours)
    {
        await using EmbeddedS3Server store = await ClockedServer.StartAsync(new ShiftedTime(TimeSpan.FromHours(hours)), new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        using AmazonS3Client s3 = S3(store.Endpoint.ToString());
        await using TransferClient client = Client(s3);

        for (int i = 0; i < 2; i++)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());
            Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
        }

        Assert.Equal([403, 404, 404], store.Requests.Select(request => request.StatusCode));
    }

    [Fact]
    public async Task Denied_ClockIsCorrect_IsNotRetried()
    {
        string date = DateTimeOffset.UtcNow.ToString("R", CultureInfo.InvariantCulture);
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of($"HTTP/1.1 403 Forbidden\r\nx-amz-request-id: R1\r\nDate: {date}\r\nContent-Length: 0"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());

        Assert.EachEqual((HttpStatusCode.Forbidden, "R1", 1), (e.StatusCode, e.RequestId, server.Requests.Count));
        Assert.Contains("403 (Forbidden)", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task DeniedByMinio_ErrorSaysWhy()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of(
            "HTTP/1.1 403 Forbidden\r\nx-amz-request-id: R1\r\nX-Minio-Error-Code: AccessDenied\r\nX-Minio-Error-Desc: \"Access Denied.\"\r\nContent-Length: 0"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());

        Assert.Equal("AccessDenied", e.ErrorCode);
        Assert.Contains("AccessDenied: Access Denied.", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Token_MayHaveExpired_IsRenewedOnce(bool helps)
    {
        await using ScriptedServer server = new(request => helps && request.Header("x-amz-security-token") == "token-2"
            ? ScriptedAnswer.Of(Object)
            : ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nContent-Length: 0"));
        CountingCredentials credentials = new(tellsExpiration: false);
        using AmazonS3Client s3 = S3(server.Url, credentials: credentials);
        await using TransferClient client = Client(s3);

        Task<ObjectInfo> asked = client.GetInfoAsync(Bucket, Key).Within();

        if (helps)
        {
            Assert.Equal(12345, (await asked).Length);
        }
        else
        {
            Assert.Equal(HttpStatusCode.BadRequest, (await Assert.ThrowsAsync<TransferException>(() => asked)).StatusCode);
        }

        // If new credentials don't help, the bucket may be in another region, or the store may have rejected the request for a checksum.
        Assert.EachEqual((helps ? 2 : 3, 2), (server.Requests.Count(request => request.Target.EndsWith("/key", StringComparison.Ordinal)), credentials.Made));
    }

    /// <summary>Amazon S3 responds in this way for an object that is encrypted with a key of the customer, if the request doesn't contain the key.</summary>
    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 1)]
    public async Task ManyErrorsWithoutACode_RenewCredentialsOnlyIfTheyMayHaveExpired(bool tellsExpiration, int made)
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nContent-Length: 0"));
        CountingCredentials credentials = new(tellsExpiration: tellsExpiration);
        using AmazonS3Client s3 = S3(server.Url, credentials: credentials);
        await using TransferClient client = Client(s3);

        for (int number = 0; number < 20; number++)
        {
            await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());
        }

        Assert.Equal(made, credentials.Made);
    }

    [Fact]
    public async Task OtherRegion_IsUsedForTheSignature()
    {
        await using ScriptedServer server = new(request => request.Header("Authorization")!.Contains("/eu-west-1/", StringComparison.Ordinal)
            ? ScriptedAnswer.Of(Object)
            : ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nx-amz-bucket-region: eu-west-1\r\nContent-Length: 0"));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);

        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(12345, (await client.GetInfoAsync(Bucket, Key).Within()).Length);
        }

        Assert.Equal(3, server.Requests.Count); // the second call used the region of the first
    }

    [Fact]
    public async Task SameRegion_Throws()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of("HTTP/1.1 400 Bad Request\r\nx-amz-request-id: R1\r\nx-amz-bucket-region: us-east-1\r\nContent-Length: 0"));
        using AmazonS3Client s3 = S3(server.Url, credentials: new BasicAWSCredentials("transfer", "transfer-secret"));
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());

        Assert.EachEqual((HttpStatusCode.BadRequest, 1), (e.StatusCode, server.Requests.Count));
    }
}
