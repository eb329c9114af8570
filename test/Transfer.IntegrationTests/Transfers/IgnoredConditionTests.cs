using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>An upload with If-Match replaces nothing else, also in a store that ignores the condition, or compares it with the ETag without its quotes.</summary>
public sealed class IgnoredConditionTests
{
    private const string Bucket = "bucket";
    private const string Key = "key";
    private const int Small = 10;
    private const int Large = 11 * 1024 * 1024;

    [Theory]
    [InlineData(Small, true)]
    [InlineData(Large, true)]
    [InlineData(Small, false)]
    [InlineData(Large, false)]
    public async Task IfMatch_OtherETag_ReplacesNothing(int length, bool isIgnored)
    {
        ServerAbility[] ignored = isIgnored ? [ServerAbility.PutIfMatch, ServerAbility.CompleteIfMatch] : [];
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], Ignores = ignored });
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { EnvironmentVariables = static _ => null }, StateDirectory = string.Empty, UploadPartSizeBytes = 5 * 1024 * 1024 });
        UploadResult first = await client.UploadAsync(new MemoryStream(Sample.Bytes(Small, seed: 1)), Bucket, Key).Within();

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync("\"00000000000000000000000000000000\"")).Within();
        Assert.Equal(first.ETag, (await client.GetInfoAsync(Bucket, Key).Within()).ETag);
        UploadResult second = await UploadAsync(first.ETag!).Within();
        Assert.Equal(second.ETag, (await client.GetInfoAsync(Bucket, Key).Within()).ETag);
        Assert.NotEqual(first.ETag, second.ETag);
        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(first.ETag!)).Within();
        Assert.Equal(second.ETag, (await client.GetInfoAsync(Bucket, Key).Within()).ETag);
        Assert.Empty((await s3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? []);

        Task<UploadResult> UploadAsync(string etag) => client.UploadAsync(new MemoryStream(Sample.Bytes(length, seed: 2)), Bucket, Key, new UploadOptions { IfMatch = etag });
    }
}
