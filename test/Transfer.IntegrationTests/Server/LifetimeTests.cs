using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class LifetimeTests
{
    private const int Large = 64 << 20; // more than sockets and pipes buffer

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task DeleteAndReplace_DuringARead_ReaderGetsTheOldContent(bool inFolder)
    {
        using var folder = new TemporaryFolder();
        await using EmbeddedS3Server server = await StartAsync(inFolder ? folder.Path : null);
        using AmazonS3Client client = server.CreateClient();
        byte[] data = Sample.Bytes(Large);
        await PutAsync(client, data);
        using GetObjectResponse first = await client.GetObjectAsync("bucket", "k").Within();
        using GetObjectResponse second = await client.GetObjectAsync("bucket", "k").Within();

        await PutAsync(client, Sample.Bytes(100, 2));
        await client.DeleteObjectAsync("bucket", "k").Within();
        await client.DeleteBucketAsync("bucket").Within();

        foreach (GetObjectResponse response in new[] { first, second })
        {
            var read = new MemoryStream();
            await response.ResponseStream.CopyToAsync(read).Within();
            Assert.True(read.ToArray().AsSpan().SequenceEqual(data));
        }
    }

    [Fact]
    public async Task Dispose_WithOpenConnections_ClosesThemImmediately()
    {
        EmbeddedS3Server server = await StartAsync(null);
        using AmazonS3Client client = server.CreateClient(static config => config.MaxErrorRetry = 0);
        await PutAsync(client, Sample.Bytes(Large));
        using GetObjectResponse response = await client.GetObjectAsync("bucket", "k").Within();
        Assert.True(server.Statistics.OpenConnections > 0);

        await server.DisposeAsync().Within();
        await server.DisposeAsync().Within();

        await Assert.ThrowsAnyAsync<IOException>(() => response.ResponseStream.CopyToAsync(Stream.Null).Within());
        await Assert.ThrowsAnyAsync<Exception>(() => client.ListBucketsAsync().Within());
        Assert.Equal(0, server.Statistics.OpenConnections);
    }

    [Fact]
    public async Task Start_PortInUse_Fails()
    {
        await using EmbeddedS3Server server = await StartAsync(null);

        await Assert.ThrowsAsync<IOException>(() => EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Port = server.Endpoint.Port }).Within());
    }

    [Fact]
    public async Task Requests_AreCountedAndLoggedBeforeTheResponse()
    {
        await using EmbeddedS3Server server = await StartAsync(null);
        using AmazonS3Client client = server.CreateClient();
        await PutAsync(client, Sample.Bytes(1000));
        for (int i = 1; i <= 20; i++)
        {
            await client.GetObjectMetadataAsync("bucket", "k").Within();
            Assert.Equal(i, server.Statistics.RequestCount("HeadObject"));
            Assert.Equal(i + 1, server.Requests.Count);
        }

        RequestRecord put = server.Requests[0];
        Assert.EachEqual(("PutObject", "PUT", "bucket", "k", 200), (put.Operation, put.Method, put.Bucket, put.Key, put.StatusCode));
        Assert.Equal(1000, server.Statistics.BytesReceived);
        Assert.Equal(21, server.Statistics.TotalRequests);
        Assert.Equal(0, server.Statistics.RequestCount("Nonsense"));
        server.ClearRequests();
        server.Statistics.Reset();
        Assert.Empty(server.Requests);
        Assert.Empty(server.Statistics.RequestsByOperation);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Writers_OfTheSameKeys_LeaveCompleteObjects(bool inFolder)
    {
        using var folder = new TemporaryFolder();
        await using EmbeddedS3Server server = await StartAsync(inFolder ? folder.Path : null);
        using AmazonS3Client client = server.CreateClient();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < 20; i++)
            {
                string key = $"k{i % 3}";
                await PutAsync(client, Sample.Bytes(50_000, (writer * 100) + i), key);
                using GetObjectResponse response = await client.GetObjectAsync("bucket", key).Within();
                var read = new MemoryStream();
                await response.ResponseStream.CopyToAsync(read).Within();
                Assert.Equal(Sample.ETag(read.ToArray()), response.ETag);
            }
        }))).Within();

        ListObjectsV2Response list = await client.ListObjectsV2Async(new ListObjectsV2Request { BucketName = "bucket" }).Within();
        Assert.Equal(["k0", "k1", "k2"], list.S3Objects.Select(static o => o.Key));
        if (inFolder)
        {
            Assert.Equal(3, Directory.GetFiles(folder.File("data"), "*", SearchOption.AllDirectories).Length);
            Assert.Empty(Directory.GetFiles(folder.File("staging")));
        }
    }

    private static Task<EmbeddedS3Server> StartAsync(string? directory) =>
        EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Directory = directory }).Within();

    private static Task<PutObjectResponse> PutAsync(AmazonS3Client client, byte[] data, string key = "k") =>
        client.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = key, InputStream = new MemoryStream(data) }).Within();
}
