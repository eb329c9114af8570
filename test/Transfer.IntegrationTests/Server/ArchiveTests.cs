using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Archived objects: they are read from a restored copy, after some time and for some days.</summary>
public sealed class ArchiveTests : IDisposable
{
    private const string BucketName = "archive";
    private readonly TemporaryFolder _folder = new();
    private readonly FakeTimeProvider _time = new(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero));

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("GLACIER", false)]
    [InlineData("DEEP_ARCHIVE", true)]
    public async Task Restore_ArchivedObject_CanBeReadAfterSomeTimeAndForSomeDays(string storageClass, bool inFolder)
    {
        EmbeddedS3ServerOptions options = new() { Buckets = [BucketName], RestoreTime = TimeSpan.FromHours(4), AllowAnonymous = true, Directory = inFolder ? _folder.Path : null };
        EmbeddedS3Server server = await ClockedServer.StartAsync(_time, options);
        using (AmazonS3Client s3 = Anonymous(server))
        {
            await s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "text", StorageClass = storageClass }).Within();
            await CannotBeReadAsync(s3);
            Assert.Null((await ListAsync(s3)).RestoreStatus);

            Assert.Equal(HttpStatusCode.Accepted, (await RestoreAsync(s3, days: 2)).HttpStatusCode);

            await CannotBeReadAsync(s3);
            Assert.True((await s3.GetObjectMetadataAsync(BucketName, "k").Within()).RestoreInProgress);
            Assert.True((await ListAsync(s3)).RestoreStatus.IsRestoreInProgress);
            Assert.Equal("RestoreAlreadyInProgress", (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => RestoreAsync(s3, days: 2))).ErrorCode);
        }

        if (inFolder)
        {
            await server.DisposeAsync().Within();
            server = await ClockedServer.StartAsync(_time, options); // a restoration survives that
        }

        await using (server)
        {
            using AmazonS3Client s3 = Anonymous(server);
            _time.Advance(TimeSpan.FromHours(4));

            using (GetObjectResponse response = await s3.GetObjectAsync(BucketName, "k").Within())
            {
                Assert.False(response.RestoreInProgress);
                Assert.Equal(_time.GetUtcNow().UtcDateTime.AddDays(2), response.RestoreExpiration!.Value.ToUniversalTime(), TimeSpan.FromSeconds(1));
            }

            Assert.NotNull((await ListAsync(s3)).RestoreStatus.RestoreExpiryDate);
            Assert.Null((await ListAsync(s3, asks: false)).RestoreStatus);
            await s3.CopyObjectAsync(BucketName, "k", BucketName, "copy").Within();
            Assert.Equal(HttpStatusCode.OK, (await RestoreAsync(s3, days: 3)).HttpStatusCode); // prolongs it

            _time.Advance(TimeSpan.FromDays(2));
            (await s3.GetObjectAsync(BucketName, "k").Within()).Dispose();
            _time.Advance(TimeSpan.FromDays(1));
            await CannotBeReadAsync(s3);
            Assert.Null((await s3.GetObjectMetadataAsync(BucketName, "k").Within()).RestoreExpiration);
        }
    }

    [Fact]
    public async Task Restore_RefusesOtherObjectsAndRequests()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [BucketName], AllowAnonymous = true }).Within();
        using AmazonS3Client s3 = Anonymous(server);
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "text", StorageClass = S3StorageClass.GlacierInstantRetrieval }).Within();

        (await s3.GetObjectAsync(BucketName, "k").Within()).Dispose(); // can be read at once
        Assert.Equal("InvalidObjectState", (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => RestoreAsync(s3, days: 1))).ErrorCode);
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "text", StorageClass = S3StorageClass.Glacier }).Within();
        Assert.Equal("MalformedXML", (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => RestoreAsync(s3, days: 0))).ErrorCode);
        Assert.Equal(HttpStatusCode.Accepted, (await RestoreAsync(s3, days: 1)).HttpStatusCode);
        (await s3.GetObjectAsync(BucketName, "k").Within()).Dispose(); // without a time, it is restored at once
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "new", StorageClass = S3StorageClass.Glacier }).Within();
        await CannotBeReadAsync(s3); // the copy is of the former object
    }

    private static async Task CannotBeReadAsync(AmazonS3Client s3)
    {
        Assert.Equal("InvalidObjectState", (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => s3.GetObjectAsync(BucketName, "k").Within())).ErrorCode);
        Assert.Equal("InvalidObjectState", (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => s3.CopyObjectAsync(BucketName, "k", BucketName, "copy").Within())).ErrorCode);
    }

    private static Task<RestoreObjectResponse> RestoreAsync(AmazonS3Client s3, int days)
        => s3.RestoreObjectAsync(new RestoreObjectRequest { BucketName = BucketName, Key = "k", Days = days, Tier = GlacierJobTier.Bulk }).Within();

    private static async Task<S3Object> ListAsync(AmazonS3Client s3, bool asks = true)
        => (await s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName, OptionalObjectAttributes = asks ? [OptionalObjectAttributes.RestoreStatus] : null }).Within())
            .S3Objects.Single(item => item.Key == "k");

    /// <summary>Creates a client without credentials, because signatures contain the time of this machine.</summary>
    private static AmazonS3Client Anonymous(EmbeddedS3Server server)
        => new(new AnonymousAWSCredentials(), new AmazonS3Config { ServiceURL = server.Endpoint.ToString(), ForcePathStyle = true, MaxErrorRetry = 0 });
}
