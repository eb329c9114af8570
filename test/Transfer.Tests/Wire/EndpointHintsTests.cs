using System.Net;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>The error of a request says what to check if the endpoint or a proxy before the store is the more likely cause.</summary>
public sealed class EndpointHintsTests
{
    private const string NoSuchBucket = "<Error><Code>NoSuchBucket</Code></Error>";
    private const string NoSuchKey = "<Error><Code>NoSuchKey</Code></Error>";
    private const string Signature = "<Error><Code>SignatureDoesNotMatch</Code></Error>";

    [Theory]
    [InlineData("http://store/bucket", 404, NoSuchBucket, "the endpoint http://store/bucket seems to contain the bucket, so use it without 'bucket'")]
    [InlineData("http://store:9000/bucket/", 404, NoSuchKey, "the endpoint http://store:9000/bucket seems to contain the bucket, so use it without 'bucket'")]
    [InlineData("https://bucket.store", 403, Signature, "the endpoint https://bucket.store seems to contain the bucket, so use it without 'bucket'")]
    [InlineData("https://bucket.store", 400, "<Error><Code>InvalidBucketName</Code></Error>", "the endpoint https://bucket.store seems to contain the bucket, so use it without 'bucket'")]
    [InlineData("https://bucket.store", 403, "<Error><Code>AccessDenied</Code></Error>", null)]
    [InlineData("https://store/s3", 404, NoSuchBucket, null)]
    [InlineData("https://store", 403, Signature, "if there is a proxy before the store, check that it keeps the Host header")]
    [InlineData(
        "https://store:9000", 403, "<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>GET\n/bucket\nlist-type=2\nhost:internal:80\nx-amz-date:1\n\nhost</CanonicalRequest></Error>",
        "the request was sent with the Host header 'store:9000' and received with 'internal:80', so a proxy before the store changes it")]
    [InlineData("https://store:9000", 403, "<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>GET\n/bucket\n\nhost:store:9000\n\nhost</CanonicalRequest></Error>", null)]
    [InlineData("https://store", 403, "<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>host:evil host</CanonicalRequest></Error>", "if there is a proxy before the store, check that it keeps the Host header")]
    [InlineData(null, 403, Signature, null)]
    public async Task Listing_Fails_ErrorHasTheHint(string? endpoint, int status, string body, string? hint)
    {
        FakeHttp http = new(_ => FakeHttp.Answer((HttpStatusCode)status, body));
        using AmazonS3Client s3 = NewS3(http, endpoint);
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ListAsync(client));

        Assert.Equal(hint, e.Hint);
        Assert.EndsWith(hint ?? string.Empty, e.Message, StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode)status, e.StatusCode);
    }

    /// <summary>Every missing object of a store whose host begins with the name of the bucket would have the hint.</summary>
    [Fact]
    public async Task Object_IsMissing_HasNoHint()
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.NotFound, NoSuchKey));
        using AmazonS3Client s3 = NewS3(http, "https://bucket.store");
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        Assert.Null((await Assert.ThrowsAsync<TransferException>(() => client.OpenReadAsync(FakeHttp.Bucket, FakeHttp.Key).Within())).Hint);
    }

    [Theory]
    [InlineData("https://account.store/bucket", 1)]
    [InlineData("https://bucket.s3.eu-west-1.store", 1)]
    [InlineData("https://bucket.store", 0)]
    [InlineData("https://store/other", 0)]
    public async Task EndpointWouldChangeKeys_IsLoggedOnce(string endpoint, int expected)
    {
        using LogLines log = new();
        using LoggerFactory factory = new([log]);
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, "<ListBucketResult/>"));
        using AmazonS3Client s3 = NewS3(http, endpoint);
        await using TransferClient client = new(s3, new TransferClientOptions { LoggerFactory = factory });

        await ListAsync(client);
        await ListAsync(client);

        Assert.Equal(expected, log.Written.Count(line => line.Contains("seems to contain the bucket 'bucket'", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task RedirectToHttps_IsFollowedAndLoggedOnce()
    {
        using LogLines log = new();
        using LoggerFactory factory = new([log]);
        FakeHttp http = new(request => request.RequestUri!.Scheme == "https"
            ? FakeHttp.Answer(HttpStatusCode.OK, "<ListBucketResult/>")
            : FakeHttp.Answer(HttpStatusCode.TemporaryRedirect, headers: ("Location", $"https://store{request.RequestUri.PathAndQuery}")));
        using AmazonS3Client s3 = NewS3(http, "http://store");
        await using TransferClient client = new(s3, new TransferClientOptions { LoggerFactory = factory });

        await ListAsync(client);
        await ListAsync(client);

        Assert.EachEqual((4, 1), (http.Requests.Count, log.Written.Count(line => line.Contains("The endpoint http://store redirects to https://store.", StringComparison.Ordinal))));
    }

    [Theory]
    [InlineData(301)]
    [InlineData(302)]
    [InlineData(307)]
    [InlineData(308)]
    public async Task RedirectToHttps_ThatFails_ErrorNamesTheEndpointToUse(int status)
    {
        FakeHttp http = new(request => request.RequestUri!.Scheme == "https"
            ? throw new HttpRequestException(HttpRequestError.ConnectionError, "refused")
            : FakeHttp.Answer((HttpStatusCode)status, headers: ("Location", $"https://store{request.RequestUri.PathAndQuery}")));
        using AmazonS3Client s3 = NewS3(http, "http://store");
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ListAsync(client));

        Assert.Equal("the endpoint http://store redirects to https://store, so use https://store as the endpoint", e.Hint);
    }

    /// <summary>A host that doesn't belong to the store must not be recommended.</summary>
    [Fact]
    public async Task RedirectToHttpsOfAnotherHost_HasNoHint()
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.TemporaryRedirect, headers: ("Location", "https://login.example/")));
        using AmazonS3Client s3 = NewS3(http, "http://store");
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        Assert.Null((await Assert.ThrowsAsync<TransferException>(() => ListAsync(client))).Hint);
    }

    private static AmazonS3Client NewS3(FakeHttp http, string? endpoint) => http.NewS3(config =>
    {
        if (endpoint is not null)
        {
            (config.ServiceURL, config.ForcePathStyle, config.AuthenticationRegion) = (endpoint, true, "us-west-2");
        }
    });

    private static async Task ListAsync(TransferClient client)
    {
        await foreach (ListedObject _ in client.ListObjectsAsync(FakeHttp.Bucket, string.Empty))
        {
        }
    }
}
