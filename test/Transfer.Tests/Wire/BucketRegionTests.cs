using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>The error of a request to another region names the region that the store returned.</summary>
public sealed class BucketRegionTests
{
    [Theory]
    [InlineData(TransferWire.Http, 301, "eu-west-1", "<Error><Code>PermanentRedirect</Code></Error>")]
    [InlineData(TransferWire.Http, 400, "eu-west-1", "")]
    [InlineData(TransferWire.Http, 400, "eu-west-1", "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")]
    [InlineData(TransferWire.Http, 400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>")]
    [InlineData(TransferWire.Http, 400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-west-2' is wrong; expecting 'eu-west-1'</Message></Error>")]
    [InlineData(TransferWire.Http, 400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region &quot;us-west-2&quot; is wrong; expecting &quot;eu-west-1&quot;</Message></Error>")]
    [InlineData(TransferWire.Sdk, 400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-west-2' is wrong; expecting 'eu-west-1'</Message></Error>")]
    [InlineData(TransferWire.Sdk, 301, "eu-west-1", "<Error><Code>PermanentRedirect</Code></Error>")]
    [InlineData(TransferWire.Sdk, 400, "eu-west-1", "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")]
    public async Task OtherRegion_ErrorNamesIt(TransferWire wire, int status, string? header, string body)
    {
        FakeHttp http = new(_ => FakeHttp.Answer((HttpStatusCode)status, body, headers: header is null ? [] : [("x-amz-bucket-region", header)]));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, Advanced = { Wire = wire } });

        await FailsWithRegionAsync(() => client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key));
        await FailsWithRegionAsync(() => client.ListObjectsAsync(FakeHttp.Bucket, string.Empty).GetAsyncEnumerator().MoveNextAsync().AsTask());
        await FailsWithRegionAsync(() => client.UploadAsync(Stream.Null, FakeHttp.Bucket, FakeHttp.Key));
    }

    /// <summary>The message of another error can contain the same words, and a secret that is wrong is the same in every region.</summary>
    [Theory]
    [InlineData(400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the Credential is mal-formed; expecting \"&lt;YOUR-AKID&gt;/YYYYMMDD/REGION\"</Message></Error>")]
    [InlineData(400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>expecting</Message></Error>")]
    [InlineData(400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>expecting '</Message></Error>")]
    [InlineData(400, null, "<Error><Code>InvalidArgument</Code><Message>expecting 'eu-west-1'</Message></Error>")]
    [InlineData(403, "us-west-2", "<Error><Code>SignatureDoesNotMatch</Code></Error>")]
    [InlineData(403, "eu-west-1", "<Error><Code>AccessDenied</Code></Error>")]
    public async Task NoOtherRegion_ErrorNamesNone(int status, string? header, string body)
    {
        FakeHttp http = new(request => request.Method == HttpMethod.Head
            ? FakeHttp.Answer((HttpStatusCode)status)
            : FakeHttp.Answer((HttpStatusCode)status, body, headers: header is null ? [] : [("x-amz-bucket-region", header)]));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, Advanced = { Wire = TransferWire.Http } });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.ListObjectsAsync(FakeHttp.Bucket, string.Empty).GetAsyncEnumerator().MoveNextAsync().AsTask().Within());

        Assert.Null(e.BucketRegion);
    }

    /// <summary>The cause can be another one, such as a missing customer key, so it isn't asked for again.</summary>
    [Fact]
    public async Task HeadFailsWithoutAReason_RegionIsRequestedOnce()
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.BadRequest));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, Advanced = { Wire = TransferWire.Http } });

        for (int i = 0; i < 3; i++)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within());
            Assert.EachEqual((HttpStatusCode.BadRequest, null), (e.StatusCode, e.BucketRegion));
        }

        Assert.Single(http.Requests, request => request.RequestUri!.Query.Contains("location", StringComparison.Ordinal));
    }

    /// <summary>A store that uses its own region for signatures can't tell another region from a wrong secret.</summary>
    [Fact]
    public async Task SignatureDoesNotMatchInAnotherRegion_IsSentAgainForIt()
    {
        FakeHttp http = new(request => FakeHttp.Scope(request) == "eu-west-1/s3"
            ? FakeHttp.Answer(HttpStatusCode.OK, "<ListBucketResult/>")
            : FakeHttp.Answer(HttpStatusCode.Forbidden, "<Error><Code>SignatureDoesNotMatch</Code></Error>", headers: ("x-amz-bucket-region", "eu-west-1")));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, Advanced = { Wire = TransferWire.Http } });

        Assert.False(await client.ListObjectsAsync(FakeHttp.Bucket, string.Empty).GetAsyncEnumerator().MoveNextAsync().AsTask().Within());
        Assert.Equal(2, http.Requests.Count);
    }

    private static async Task FailsWithRegionAsync(Func<Task> call)
    {
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => call().Within());
        Assert.Equal("eu-west-1", e.BucketRegion);
        Assert.Contains("the store returned that the bucket is in the region eu-west-1; configure the client with this region", e.Message, StringComparison.Ordinal);
    }
}
