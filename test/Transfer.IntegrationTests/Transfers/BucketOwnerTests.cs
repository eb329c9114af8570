using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>A client that expects an owner of its buckets does nothing in a bucket of another one.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public sealed class BucketOwnerTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "bucket";
    private const string Owner = "123456789012";
    private readonly TemporaryFolder _folder = new();
    private EmbeddedS3Server _server = null!;
    private AmazonS3Client _s3 = null!;

    public async Task InitializeAsync()
    {
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], AccountId = Owner }).Within();
        _s3 = _server.CreateClient();
        await _s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = "k", ContentBody = "text" }).Within();
    }

    public async Task DisposeAsync()
    {
        _s3.Dispose();
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task EveryRequest_OfAnotherOwner_IsRejected(TransferWire wire)
    {
        await using TransferClient right = new(_s3, new TransferClientOptions { Advanced = { Wire = wire }, ExpectedBucketOwner = Owner });
        await using TransferClient wrong = new(_s3, new TransferClientOptions { Advanced = { Wire = wire }, ExpectedBucketOwner = "210987654321" });
        string file = _folder.File("file");
        await File.WriteAllBytesAsync(file, new byte[(6 << 20) + 1]).Within();
        UploadOptions inParts = new() { PartSizeBytes = 5 << 20, MultipartThresholdBytes = 5 << 20 };
        Func<TransferClient, Task>[] calls =
        [
            client => client.DownloadAsync(Bucket, "k", _folder.File("target")),
            client => client.GetInfoAsync(Bucket, "k"),
            client => client.UploadAsync(file, Bucket, "put"),
            client => client.UploadAsync(file, Bucket, "parts", inParts),
            client => client.CopyAsync(new(Bucket, "k"), new(Bucket, "copy")),
            client => client.CopyAsync(new(Bucket, "k"), new(Bucket, "copy"), new CopyOptions { PartSizeBytes = 5 << 20, MultipartThresholdBytes = 0 }),
            client => client.GetTagsAsync(Bucket, "k"),
            client => client.SetTagsAsync(Bucket, "k", new Dictionary<string, string> { ["a"] = "b" }),
            client => client.ListObjectsAsync(Bucket).ToListAsync().AsTask(),
            client => client.DeleteAsync(Bucket, "copy"),
            client => client.CreateBucketAsync($"new-{Guid.NewGuid():N}"), // nobody owns it before
            client => client.ListBucketsAsync().ToListAsync().AsTask(), // those of the credentials
        ];

        int allowed = 0;
        foreach (Func<TransferClient, Task> call in calls)
        {
            await call(right).Within();
            try
            {
                await call(wrong).Within();
                allowed++;
            }
            catch (TransferException e)
            {
                Assert.EachEqual((HttpStatusCode.Forbidden, "the bucket may belong to another account than 210987654321 (ExpectedBucketOwner)"), (e.StatusCode, e.Hint));
                Assert.Contains(e.Hint!, e.Message, StringComparison.Ordinal);
            }
        }

        Assert.Equal(2, allowed);
        Assert.Empty((await _s3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? []);
    }

    [Theory]
    [InlineData("")]
    [InlineData("123 456")]
    [InlineData("12345678901")]
    [InlineData("1234567890123")]
    [InlineData("a23456789012")]
    [InlineData("1\r\nx-amz-acl: public-read")]
    public void OtherTexts_AreRejected(string owner)
    {
        ArgumentException client = Assert.Throws<ArgumentException>(() => new TransferClient(_s3, new TransferClientOptions { ExpectedBucketOwner = owner }));

        Assert.Contains("12 digits", client.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("12345678901")]
    [InlineData("a23456789012")]
    public async Task Server_OtherTexts_AreRejected(string owner)
        => Assert.Contains("12 digits", (await Assert.ThrowsAnyAsync<ArgumentException>(() => EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { AccountId = owner }))).Message, StringComparison.Ordinal);

    /// <summary>MinIO has no accounts, and ignores the header.</summary>
    [MinioTheory]
    [InlineData(Store.Minio)]
    [InlineData(Store.Minio + Store.BySdk)]
    public async Task Minio_IgnoresTheOwner(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = store.Wire }, ExpectedBucketOwner = Owner });

        await client.UploadAsync(new MemoryStream(new byte[3]), store.Bucket, "k").Within();
        await client.CopyAsync(new(store.Bucket, "k"), new(store.Bucket, "copy")).Within();

        Assert.Equal(2, (await client.ListObjectsAsync(store.Bucket).ToListAsync().AsTask().Within()).Count);
    }
}
