using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>A server whose ETags are not MD5s, like those of objects that are encrypted with a KMS key. Objects are still verified.</summary>
public sealed class OtherETagTests : RawServerTest
{
    private static readonly byte[] Data = Sample.Bytes((6 << 20) + 1);

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = ["bucket"], Md5ETags = false };

    [Theory]
    [InlineData(1000)]
    [InlineData((6 << 20) + 1)]
    public async Task UploadAndDownload_AreVerifiedByTheChecksum(int size)
    {
        byte[] content = Data[..size];
        using AmazonS3Client s3 = Server.CreateClient();
        await using TransferClient client = new(s3, new TransferClientOptions { UploadPartSizeBytes = 5 << 20, MultipartThresholdBytes = 5 << 20 });
        using MemoryStream target = new();

        UploadResult up = await client.UploadAsync(new MemoryStream(content), "bucket", "key").Within();
        DownloadResult down = await client.DownloadAsync("bucket", "key", target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.True(up.Verdict.IsVerified && down.Verdict.IsVerified);
        Assert.Equal(up.ETag, down.Info.ETag);
        Assert.NotEqual(Sample.ETag(content), up.ETag);
    }

    [Fact]
    public async Task Md5_Sent_IsCheckedButNotUsedAsETag()
    {
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")), 400, "BadDigest");

        Assert.NotEqual(Sample.ETag(Data), (await PutAsync("/bucket/1", Data)).Header("ETag"));
    }
}
