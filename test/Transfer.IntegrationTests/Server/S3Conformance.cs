using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>The behavior that the AWS SDK expects of the server, with every kind of storage and connection.</summary>
public abstract partial class S3Conformance : IAsyncLifetime
{
    protected const string BucketName = "first-bucket";
    private const int PartBytes = 5 << 20;

    protected EmbeddedS3Server Server { get; private set; } = null!;

    protected AmazonS3Client Client { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Server = await EmbeddedS3Server.StartAsync(Options()).Within();
        Client = Server.CreateClient();
    }

    public async Task DisposeAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync().Within();
    }

    protected abstract EmbeddedS3ServerOptions Options();

    [Fact]
    public async Task Buckets_FromCreationToDeletion_HaveTheExpectedState()
    {
        await Client.PutBucketAsync("second-bucket").Within();

        ListBucketsResponse buckets = await Client.ListBucketsAsync().Within();
        Assert.Equal([BucketName, "second-bucket"], buckets.Buckets.Select(static bucket => bucket.BucketName));
        buckets = await Client.ListBucketsAsync(new ListBucketsRequest { Prefix = "sec" }).Within();
        Assert.Equal("second-bucket", Assert.Single(buckets.Buckets).BucketName);
        Assert.Equal("", (await Client.GetBucketLocationAsync("second-bucket").Within()).Location?.Value ?? "");
        await Client.HeadBucketAsync(new HeadBucketRequest { BucketName = "second-bucket" }).Within();

        await PutAsync("k", [1], bucket: "second-bucket");
        await Client.PutBucketAsync("second-bucket").Within(); // succeeds in us-east-1 only
        await FailsAsync("BucketNotEmpty", () => Client.DeleteBucketAsync("second-bucket"));
        await Client.DeleteObjectAsync("second-bucket", "k").Within();
        await Client.DeleteBucketAsync("second-bucket").Within();
        await FailsAsync("NoSuchBucket", () => Client.GetObjectAsync("second-bucket", "k"));
    }

    protected async Task<PutObjectResponse> PutAsync(string key, byte[] data, string bucket = BucketName) =>
        await Client.PutObjectAsync(new PutObjectRequest { BucketName = bucket, Key = key, InputStream = new MemoryStream(data) }).Within();

    protected async Task<byte[]> GetAsync(string key, string bucket = BucketName)
    {
        using GetObjectResponse response = await Client.GetObjectAsync(bucket, key).Within();
        return await ReadAsync(response);
    }

    protected static async Task<byte[]> ReadAsync(GetObjectResponse response)
    {
        var read = new MemoryStream();
        await response.ResponseStream.CopyToAsync(read).Within();
        return read.ToArray();
    }

    protected static async Task<AmazonS3Exception> FailsAsync(string code, Func<Task> act)
    {
        AmazonS3Exception error = await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => act().Within());
        Assert.Equal(code, error.ErrorCode);
        return error;
    }
}
