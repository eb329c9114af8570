using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Objects that are protected from deletion and replacement.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public sealed class ObjectLockTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "bucket";
    private const int Part = 5 << 20;
    private static readonly DateTimeOffset Until = new(2100, 2, 3, 4, 5, 6, TimeSpan.Zero);
    private EmbeddedS3Server _server = null!;
    private AmazonS3Client _s3 = null!;

    public async Task InitializeAsync()
    {
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] }).Within();
        _s3 = _server.CreateClient();
    }

    public async Task DisposeAsync()
    {
        _s3.Dispose();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData(TransferWire.Http, 10)]
    [InlineData(TransferWire.Http, Part + 1)]
    [InlineData(TransferWire.Sdk, 10)]
    [InlineData(TransferWire.Sdk, Part + 1)]
    public async Task Upload_WithALock_IsProtected(TransferWire wire, int length)
    {
        await using TransferClient client = new(_s3, new TransferClientOptions { Advanced = { Wire = wire } });
        UploadOptions options = new()
        {
            PartSizeBytes = Part,
            MultipartThresholdBytes = Part,
            Lock = new ObjectLock { Mode = RetentionMode.Compliance, RetainUntil = Until, LegalHold = true },
        };

        await client.UploadAsync(new MemoryStream(new byte[length]), Bucket, "k", options).Within();

        GetObjectMetadataResponse head = await _s3.GetObjectMetadataAsync(Bucket, "k").Within();
        Assert.Equal(
            (ObjectLockMode.Compliance, Until.UtcDateTime, ObjectLockLegalHoldStatus.On),
            (head.ObjectLockMode, head.ObjectLockRetainUntilDate!.Value.ToUniversalTime(), head.ObjectLockLegalHoldStatus));
        Assert.Equal(HttpStatusCode.Forbidden, (await Assert.ThrowsAsync<TransferException>(() => client.DeleteAsync(Bucket, "k"))).StatusCode);
        Assert.Equal(HttpStatusCode.Forbidden, (await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(), Bucket, "k"))).StatusCode);
        DeleteObjectsException refused = await Assert.ThrowsAsync<DeleteObjectsException>(
            () => _s3.DeleteObjectsAsync(new DeleteObjectsRequest { BucketName = Bucket, Objects = [new KeyVersion { Key = "k" }] }));
        Assert.Equal("AccessDenied", Assert.Single(refused.Response.DeleteErrors).Code);
        Assert.Equal(length, (await client.GetInfoAsync(Bucket, "k").Within()).Length);
    }

    /// <summary>In a bucket with versions, a lock protects the version. A new version can replace it, and a deletion without a version only hides it.</summary>
    [Theory]
    [Stores(10, Part + 1)]
    public async Task Upload_WithALock_VersionIsProtected(string storeName, int length)
    {
        await using Store store = await Store.StartAsync(storeName, locksObjects: true);
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = store.Wire } });
        UploadOptions options = new()
        {
            PartSizeBytes = Part,
            MultipartThresholdBytes = Part,
            Lock = new ObjectLock { Mode = RetentionMode.Governance, RetainUntil = Until },
        };

        UploadResult retained = await client.UploadAsync(new MemoryStream(new byte[length]), store.Bucket, "retained", options).Within();
        UploadResult held = await client.UploadAsync(new MemoryStream(new byte[length]), store.Bucket, "held", options with { Lock = new ObjectLock { LegalHold = true } }).Within();

        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, "retained").Within();
        Assert.EachEqual((ObjectLockMode.Governance, Until.UtcDateTime), (head.ObjectLockMode, head.ObjectLockRetainUntilDate!.Value.ToUniversalTime()));
        Assert.Equal(ObjectLockLegalHoldStatus.On, (await store.S3.GetObjectMetadataAsync(store.Bucket, "held").Within()).ObjectLockLegalHoldStatus);
        CopyResult copy = await client.CopyAsync(new(store.Bucket, "held"), new(store.Bucket, "copy")).Within();
        Assert.Contains("x-amz-object-lock-legal-hold", copy.LostProperties, StringComparer.OrdinalIgnoreCase);
        foreach ((string key, string? version) in new[] { ("retained", retained.VersionId), ("held", held.VersionId) })
        {
            TransferException refused = await Assert.ThrowsAsync<TransferException>(() => client.DeleteAsync(store.Bucket, key, new DeleteOptions { VersionId = version }));
            Assert.True(refused.ErrorCode is "AccessDenied" or "InvalidRequest", refused.Message);
            Assert.Equal(length, (await client.GetInfoAsync(store.Bucket, key, new ObjectAccessOptions { VersionId = version }).Within()).Length);
        }

        if (store is MinioStore)
        {
            await client.UploadAsync(new MemoryStream(new byte[1]), store.Bucket, "retained").Within();
            await client.DeleteAsync(store.Bucket, "retained").Within();
            Assert.Equal(length, (await client.GetInfoAsync(store.Bucket, "retained", new ObjectAccessOptions { VersionId = retained.VersionId }).Within()).Length);
        }
    }

    [Fact]
    public async Task Copy_WithoutALock_IsNotProtected()
    {
        await using TransferClient client = new(_s3);
        await client.UploadAsync(new MemoryStream(new byte[1]), Bucket, "k", new UploadOptions { Lock = new ObjectLock { LegalHold = true } }).Within();

        CopyResult copy = await client.CopyAsync(new(Bucket, "k"), new(Bucket, "copy")).Within();
        await client.DeleteAsync(Bucket, "copy").Within();

        Assert.Equal(["x-amz-object-lock-legal-hold"], copy.LostProperties);
    }

    [Fact]
    public async Task RetentionThatHasEnded_ProtectsNothing()
    {
        await using TransferClient client = new(_s3);
        await client.UploadAsync(new MemoryStream(new byte[1]), Bucket, "k", new UploadOptions { Lock = new ObjectLock { RetainUntil = DateTimeOffset.UnixEpoch } }).Within();

        await client.DeleteAsync(Bucket, "k").Within();
    }

    [Fact]
    public async Task LockWithoutProtection_IsRejected()
    {
        await using TransferClient client = new(_s3);

        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadAsync(new MemoryStream(), Bucket, "k", new UploadOptions { Lock = new ObjectLock() }));
    }
}
