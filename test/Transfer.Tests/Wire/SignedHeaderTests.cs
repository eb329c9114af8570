using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>The headers that are signed, so that a proxy can't change unnoticed what is stored or read.</summary>
public sealed class SignedHeaderTests
{
    [Fact]
    public async Task Download_Range_IsSigned()
    {
        FakeHttp http = new(request => FakeHttp.Range(request, Sample.Bytes(10)));
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 1 });

        await client.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, Stream.Null, new DownloadOptions { Verify = false }).Within();

        Assert.StartsWith("host;range;", SignedHeaders(Assert.Single(http.Requests)), StringComparison.Ordinal);
    }

    private static string SignedHeaders(HttpRequestMessage request) => FakeHttp.Header(request, "Authorization")!.Split("SignedHeaders=")[1].Split(',')[0];
}
