using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;
using Transfer.S3.Verification;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Many small objects in a store without checksums need one request each.</summary>
public class SmallReadTests
{
    private const int Reads = 10_000;
    private const int Objects = 100;
    private const int Length = 4096;

    [Theory]
    [InlineData(true)] // the ETag is compared
    [InlineData(false)] // nothing can be compared, and the store is not asked for checksums repeatedly
    public async Task Reads_ObjectsWithoutChecksums_NeedOneRequestEach(bool hasMd5)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Md5ETags = hasMd5, ReturnChecksums = false });
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { EnvironmentVariables = static _ => null }, StateDirectory = string.Empty, HedgeRequests = false });
        for (int i = 0; i < Objects; i++)
        {
            await s3.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = $"key-{i}", InputStream = new MemoryStream(Pattern.Bytes(Length)) }).Within();
        }

        long before = server.Statistics.TotalRequests;
        await Parallel.ForEachAsync(Enumerable.Range(0, Reads), new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (number, token) =>
        {
            await using ObjectReadStream stream = await client.OpenReadAsync("bucket", $"key-{number % Objects}", cancellationToken: token);
            byte[] content = new byte[Length];
            await stream.ReadExactlyAsync(content, token);
            Assert.True(content.AsSpan().SequenceEqual(Pattern.Bytes(Length)));
            Assert.Equal(hasMd5, stream.Verdict!.IsVerified);
        }).Within();

        // All concurrent reads ask for a checksum before the first ones have a response. Those that end before enough others have none ask again. So does one after each
        // thousand.
        Assert.InRange(
            server.Statistics.TotalRequests - before, Reads, hasMd5 ? Reads : Reads + 16 + ChecksumLookup.Few - 1 + (Reads / ChecksumLookup.Skipped));
    }
}
