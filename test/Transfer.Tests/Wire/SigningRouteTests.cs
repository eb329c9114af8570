using System.Buffers;
using System.Net;
using Amazon.S3;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Endpoints whose signatures differ from those of plain S3. The SDK sends all their requests.</summary>
public sealed class SigningRouteTests
{
    private const string Directory = "data--usw2-az1--x-s3";
    private static readonly byte[] Content = Sample.Bytes(100_000);

    [Fact]
    public async Task DirectoryBucket_EveryRequest_UsesTheSessionOfTheSdk()
    {
        FakeHttp http = new(AnswerExpress);
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, DownloadPartSizeBytes = 64 * 1024 });
        MemoryStream target = new();

        await client.DownloadAsync(Directory, FakeHttp.Key, target).Within();
        await client.UploadAsync(new ReadOnlySequence<byte>(Content), Directory, FakeHttp.Key).Within();
        await client.GetInfoAsync(Directory, FakeHttp.Key).Within();

        Assert.Equal(Content, target.ToArray());
        Assert.Contains(http.Requests, request => request.Method == HttpMethod.Put);
        Assert.Contains(http.Requests, request => request.Method == HttpMethod.Head);
        Assert.All(http.Requests, request => Assert.True(FakeHttp.IsOfSdk(request), request.ToString()));
        Assert.All(http.Requests, request => Assert.Equal("us-west-2/s3express", FakeHttp.Scope(request)));
        Assert.Single(http.Requests, IsSession);
        Assert.All(http.Requests.Where(request => !IsSession(request)), request => Assert.Equal("session-token", FakeHttp.Header(request, "x-amz-s3session-token")));
    }

    [Theory]
    [InlineData("arn:aws:s3-object-lambda:us-west-2:123456789012:accesspoint/mine", "us-west-2/s3-object-lambda", true)]
    [InlineData("arn:aws:s3:eu-west-1:123456789012:accesspoint:mine", "eu-west-1/s3", false)]
    [InlineData("arn:aws:s3:us-west-2:123456789012:accesspoint:mine", "us-west-2/s3", false)]
    [InlineData(FakeHttp.Bucket, "us-west-2/s3", false)]
    public async Task Requests_AreSignedForTheServiceAndRegionOfTheEndpoint(string bucket, string scope, bool isOfSdk)
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Get ? FakeHttp.Range(request, Content) : FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\"")));
        using AmazonS3Client s3 = http.NewS3(config => config.UseArnRegion = true);
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        await client.DownloadAsync(bucket, FakeHttp.Key, Stream.Null, new DownloadOptions { Verify = false }).Within();
        await client.UploadAsync(new ReadOnlySequence<byte>(Content), bucket, FakeHttp.Key).Within();

        Assert.Equal(2, http.Requests.Count);
        Assert.All(http.Requests, request => Assert.EachEqual((scope, isOfSdk), (FakeHttp.Scope(request), FakeHttp.IsOfSdk(request))));
    }

    [Fact]
    public async Task MultiRegionAccessPoint_IsSentByTheSdkWhoseErrorSaysWhatIsMissing()
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.Forbidden, "SignatureDoesNotMatch"));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => client.OpenReadAsync("arn:aws:s3::123456789012:accesspoint:mfzwi23gnjvgw.mrap", FakeHttp.Key).Within());

        Assert.Contains("AWSSDK.Extensions.CrtIntegration", e.Message, StringComparison.Ordinal);
        Assert.Empty(http.Requests);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task BucketRejectedByTheEndpointRules_ThrowsTransferException(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.Forbidden, "AccessDenied"));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.OpenReadAsync("arn:aws:s3:::b", FakeHttp.Key).Within());
        TransferException up = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Content), "arn:aws:s3:::b", FakeHttp.Key).Within());

        Assert.All([e, up], error => Assert.Contains("Invalid ARN", error.Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task EveryOperation_BucketRejectedByTheEndpointRules_Throws(TransferWire choice)
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.Forbidden, "AccessDenied"));
        using FakeWires wires = new(http, choice);

        foreach (Func<Task> call in EveryOperation(wires.For("arn:aws:s3:::b"), "arn:aws:s3:::b"))
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => call().Within());
            Assert.Equal(FailureKind.Final, e.Kind);
        }

        Assert.Empty(http.Requests);
    }

    /// <summary>The response to the request contains neither endpoint nor region, so a HEAD request for the bucket gets the region.</summary>
    [Theory]
    [InlineData(HttpStatusCode.MovedPermanently, "PermanentRedirect", 1)]
    [InlineData(HttpStatusCode.TemporaryRedirect, "TemporaryRedirect", 3)]
    public async Task BucketInAnUnknownRegion_IsLocatedOnceUnlessItIsTemporarilyElsewhere(HttpStatusCode status, string code, int lookups)
    {
        FakeHttp http = new(request => FakeHttp.Scope(request) == "eu-west-1/s3" ? FakeHttp.Range(request, Content)
            : request.Method == HttpMethod.Head ? FakeHttp.Answer(status, headers: ("x-amz-bucket-region", "eu-west-1"))
            : FakeHttp.Error(status, code));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        for (int i = 0; i < 3; i++)
        {
            await client.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null, new DownloadOptions { Verify = false }).Within();
        }

        Assert.EachEqual((lookups, lookups + lookups + 3), (http.Requests.Count(request => request.Method == HttpMethod.Head), http.Requests.Count));
        Assert.Equal("bucket.s3.eu-west-1.amazonaws.com", http.Requests.Last().RequestUri!.Host);
        Assert.All(http.Requests, request => Assert.False(FakeHttp.IsOfSdk(request)));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("us-west-2")]
    [InlineData("evil.example/")]
    public async Task BucketElsewhere_WithoutAUsableRegion_Throws(string? region)
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Head && region is not null
            ? FakeHttp.Answer(HttpStatusCode.MovedPermanently, headers: ("x-amz-bucket-region", region))
            : FakeHttp.Error(HttpStatusCode.MovedPermanently, "PermanentRedirect"));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.OpenReadAsync(FakeHttp.Bucket, FakeHttp.Key).Within());

        Assert.Equal(HttpStatusCode.MovedPermanently, e.StatusCode);
        Assert.All(http.Requests, request => Assert.EndsWith(".amazonaws.com", request.RequestUri!.Host, StringComparison.Ordinal));
    }

    [Fact]
    public async Task EveryOperation_BucketThatNeedsTheSdk_IsSentByTheSdk()
    {
        FakeHttp http = new(AnswerExpress);
        using FakeWires wires = new(http, TransferWire.Http);
        foreach (Func<Task> call in EveryOperation(wires.For(Directory), Directory))
        {
            int before = http.Requests.Count;
            await Record.ExceptionAsync(() => call().Within()); // the result of the call is not tested here
            Assert.True(http.Requests.Count > before);
        }

        Assert.All(http.Requests, request => Assert.True(FakeHttp.IsOfSdk(request), request.ToString()));
    }

    private static Func<Task>[] EveryOperation(IObjectWire wire, string bucket)
    {
        ObjectAddress address = new(bucket, FakeHttp.Key);
        NewObject target = new(address, ChecksumAlgorithm.Crc64Nvme, default, new ObjectHeaders());
        RequestBody body = new(new SequenceBytes(new ReadOnlySequence<byte>(Content)), null);
        CancellationToken none = CancellationToken.None;
        return
        [
            async () => (await wire.GetRangeAsync(address, new RequestedRange(0, 10), ReadCondition.None, wantChecksum: true, none)).Dispose(),
            () => wire.GetAttributesChecksumAsync(address, null, none),
            () => wire.HeadAsync(address, none),
            () => wire.GetStoredPartsAsync(address, none),
            () => wire.HeadPartAsync(address, 1, null, none),
            () => wire.ListAsync(new ListQuery(bucket, "p/", ReadAccess.Plain), null, none),
            () => wire.ListStoredPartsAsync(address, null, null, none),
            () => wire.ListUploadsAsync(bucket, "p/", null, none),
            () => wire.ListPartsAsync(address, "upload", null, none),
            () => wire.GetTagsAsync(address, none),
            () => wire.CopyObjectAsync(new CopySource(address, new ObjectHead(new ObjectInfo { Length = 10 })), target, none),
            () => wire.UploadPartCopyAsync(new CopySource(address, new ObjectHead(new ObjectInfo { Length = 10 })), target, "upload", 1, 0, 10, none),
            () => wire.PutObjectAsync(target, body, none),
            () => wire.CreateMultipartUploadAsync(target, none),
            () => wire.UploadPartAsync(target, "upload", 1, body, none),
            () => wire.CompleteMultipartUploadAsync(target, "upload", [new UploadedPart(1, "\"e\"", null)], null, 1, none),
            () => wire.AbortMultipartUploadAsync(address, "upload", none),
        ];
    }

    private static bool IsSession(HttpRequestMessage request) => request.RequestUri!.Query.Contains("session", StringComparison.Ordinal);

    private static HttpResponseMessage AnswerExpress(HttpRequestMessage request)
        => !FakeHttp.IsOfSdk(request) ? FakeHttp.Error(HttpStatusCode.Forbidden, "SignatureDoesNotMatch")
            : IsSession(request) ? FakeHttp.Answer(
                HttpStatusCode.OK,
                "<CreateSessionResult><Credentials><SessionToken>session-token</SessionToken><SecretAccessKey>s</SecretAccessKey><AccessKeyId>a</AccessKeyId>"
                + $"<Expiration>{DateTime.UtcNow.AddMinutes(5):yyyy-MM-dd'T'HH:mm:ss'Z'}</Expiration></Credentials></CreateSessionResult>")
            : request.Method == HttpMethod.Get && request.RequestUri!.Query.Contains("attributes", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, "<GetObjectAttributesOutput/>")
            : request.Method == HttpMethod.Get ? FakeHttp.Range(request, Content)
            : FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""));
}
