using System.Net;
using Amazon.S3;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Wire;

/// <summary>The error of a request to another region names the region that the store returned.</summary>
public sealed class BucketRegionTests
{
    [Theory]
    [InlineData(TransferWire.Http, 301, "eu-west-1", "<Error><Code>PermanentRedirect</Code></Error>")]
    [InlineData(TransferWire.Http, 400, "eu-west-1", "")]
    [InlineData(TransferWire.Http, 400, "eu-west-1", "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")]
    [InlineData(TransferWire.Http, 400, null, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>")]
    [InlineData(TransferWire.Sdk, 301, "eu-west-1", "<Error><Code>PermanentRedirect</Code></Error>")]
    [InlineData(TransferWire.Sdk, 400, "eu-west-1", "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")]
    public async Task OtherRegion_ErrorNamesIt(TransferWire wire, int status, string? header, string body)
    {
        FakeHttp http = new(_ => FakeHttp.Answer((HttpStatusCode)status, body, headers: header is null ? [] : [("x-amz-bucket-region", header)]));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1, Wire = wire });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key)).Within();

        Assert.Equal("eu-west-1", e.BucketRegion);
        Assert.Contains("the store returned that the bucket is in the region eu-west-1", e.Message, StringComparison.Ordinal);
    }
}
