using System.Diagnostics;
using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

public class RetryAfterTests
{
    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Download_RetryAfter_IsHonored(TransferWire wire)
    {
        FaultPlan plan = new() { Rules = [new FaultRule(ServerFault.SlowDownRetryAfter) { Operation = "GetObject", Times = 1 }] };
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Faults = plan }).Within();
        using AmazonS3Client s3 = server.CreateClient(static config => config.MaxErrorRetry = 0);
        await s3.PutObjectAsync(new() { BucketName = "bucket", Key = "key", ContentBody = "content" }).Within();
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });
        MemoryStream target = new();
        long start = Stopwatch.GetTimestamp();

        DownloadResult result = await client.DownloadAsync("bucket", "key", target).Within();

        Assert.True(Stopwatch.GetElapsedTime(start) >= TimeSpan.FromSeconds(0.95), "the request was retried too early"); // timers have the coarse resolution of the system clock
        Assert.Equal("content"u8, target.ToArray());
        Assert.Equal(1, result.Statistics.Retries);
    }
}
