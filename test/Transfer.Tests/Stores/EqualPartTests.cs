using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.S3.Tests.Stores;

/// <summary>Which endpoints get parts of one size without being configured.</summary>
public sealed class EqualPartTests
{
    [Theory]
    [InlineData("https://0123456789abcdef.r2.cloudflarestorage.com", true)]
    [InlineData("https://0123456789abcdef.eu.R2.cloudflarestorage.com/", true)]
    [InlineData("https://r2.cloudflarestorage.com.example.org", false)]
    [InlineData("https://notr2.cloudflarestorage.com", false)]
    [InlineData("https://s3.eu-central-1.amazonaws.com", false)]
    [InlineData("http://localhost:9000/x.r2.cloudflarestorage.com", false)]
    public async Task CloudflareR2_IsRecognizedByItsHostName(string url, bool wantsEqualParts)
    {
        using AmazonS3Client s3 = new(new BasicAWSCredentials("a", "b"), new AmazonS3Config { ServiceURL = url });
        await using TransferClient client = new(s3);
        await using TransferClient asked = new(s3, new TransferClientOptions { Advanced = { EqualUploadParts = true } });

        Assert.EachEqual((wantsEqualParts, true), (client.Context.Settings.EqualUploadParts, asked.Context.Settings.EqualUploadParts));
    }

    [Fact]
    public async Task NoServiceUrl_IsNotCloudflareR2()
    {
        using AmazonS3Client s3 = new(new BasicAWSCredentials("a", "b"), Amazon.RegionEndpoint.EUCentral1);
        await using TransferClient client = new(s3);

        Assert.False(client.Context.Settings.EqualUploadParts);
    }
}
