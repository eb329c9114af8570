using System.Net;
using System.Text;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Buckets that keep versions: as in Amazon S3, a deletion hides an object, and every version can be read, copied, and deleted.</summary>
public sealed class VersionTests : IAsyncLifetime
{
    private const string BucketName = "versions";
    private readonly FakeTimeProvider _time = new(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero));
    private EmbeddedS3Server _server = null!;
    private AmazonS3Client _s3 = null!;

    public async Task InitializeAsync()
    {
        _server = await ClockedServer.StartAsync(_time, new EmbeddedS3ServerOptions { Buckets = [BucketName] });
        _s3 = _server.CreateClient();
    }

    public async Task DisposeAsync()
    {
        _s3.Dispose();
        await _server.DisposeAsync().Within();
    }

    [Fact]
    public async Task Versions_OfAnObject_RemainUntilTheyAreDeleted()
    {
        Assert.NotEqual(VersionStatus.Enabled, (await _s3.GetBucketVersioningAsync(BucketName).Within()).VersioningConfig?.Status);
        Assert.Null(await PutAsync("k", "old"));
        await SetAsync(VersionStatus.Enabled);
        Assert.Equal(VersionStatus.Enabled, (await _s3.GetBucketVersioningAsync(BucketName).Within()).VersioningConfig.Status);

        string first = (await PutAsync("k", "first"))!;
        string second = (await PutAsync("k", "second"))!;
        DeleteObjectResponse deleted = await _s3.DeleteObjectAsync(BucketName, "k").Within();

        Assert.Equal("true", deleted.DeleteMarker);
        Assert.Equal(4, new[] { "null", first, second, deleted.VersionId }.Distinct().Count());
        Assert.Equal("NoSuchKey", await ErrorAsync("k", null));
        Assert.Equal("MethodNotAllowed", await ErrorAsync("k", deleted.VersionId));
        Assert.Equal("NoSuchVersion", await ErrorAsync("k", new string('0', 32)));
        Assert.Equal("InvalidArgument", await ErrorAsync("k", "v"));
        Assert.Equal(("old", "null"), await GetAsync("k", "null"));
        Assert.Equal(("first", first), await GetAsync("k", first));
        Assert.Equal(
            [(deleted.VersionId, true, true), (second, false, false), (first, false, false), ("null", false, false)],
            (await ListAsync()).Select(version => (version.VersionId, version.IsDeleteMarker == true, version.IsLatest == true)));
        Assert.Empty((await _s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName }).Within()).S3Objects ?? []);
        Assert.Equal("BucketNotEmpty", (await Assert.ThrowsAsync<AmazonS3Exception>(() => _s3.DeleteBucketAsync(BucketName).Within())).ErrorCode);

        Assert.Equal((deleted.VersionId, "true"), await DeleteAsync("k", deleted.VersionId));
        Assert.Equal(("second", second), await GetAsync("k", null));
        Assert.Equal((second, null), await DeleteAsync("k", second));
        Assert.Equal(("first", first), await GetAsync("k", null));
        Assert.Equal(HttpStatusCode.NoContent, (await _s3.DeleteObjectAsync(BucketName, "k", second).Within()).HttpStatusCode);
        await DeleteAsync("k", "null");
        await DeleteAsync("k", first);
        Assert.Empty(await ListAsync());
        await _s3.DeleteBucketAsync(BucketName).Within();
    }

    [Fact]
    public async Task Suspended_BucketHasOneVersionNull()
    {
        await SetAsync(VersionStatus.Enabled);
        string kept = (await PutAsync("k", "kept"))!;
        await SetAsync(VersionStatus.Suspended);

        Assert.Equal("null", await PutAsync("k", "one"));
        Assert.Equal("null", await PutAsync("k", "two"));
        Assert.Equal(["null", kept], (await ListAsync()).Select(version => version.VersionId));
        Assert.Equal("null", (await _s3.DeleteObjectAsync(BucketName, "k").Within()).VersionId);

        Assert.Equal([("null", true), (kept, false)], (await ListAsync()).Select(version => (version.VersionId, version.IsDeleteMarker == true)));
        Assert.Equal("NoSuchKey", await ErrorAsync("k", null));
        Assert.Equal(("kept", kept), await GetAsync("k", kept));
    }

    [Fact]
    public async Task Version_IsCopiedTaggedAndRestored()
    {
        await SetAsync(VersionStatus.Enabled);
        string first = (await PutAsync("k", "first"))!;
        string second = (await PutAsync("k", "second"))!;

        await _s3.CopyObjectAsync(new CopyObjectRequest { SourceBucket = BucketName, SourceKey = "k", SourceVersionId = first, DestinationBucket = BucketName, DestinationKey = "copy" }).Within();
        Assert.Equal("first", (await GetAsync("copy", null)).Text);
        await _s3.PutObjectTaggingAsync(new PutObjectTaggingRequest { BucketName = BucketName, Key = "k", VersionId = first, Tagging = new Tagging { TagSet = [new Tag { Key = "a", Value = "b" }] } }).Within();
        Assert.Single((await _s3.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = BucketName, Key = "k", VersionId = first }).Within()).Tagging);
        Assert.Empty((await _s3.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = BucketName, Key = "k", VersionId = second }).Within()).Tagging ?? []);

        CopyObjectRequest onto = new() { SourceBucket = BucketName, SourceKey = "k", SourceVersionId = second, DestinationBucket = BucketName, DestinationKey = "k" };
        Assert.Equal("InvalidRequest", (await Assert.ThrowsAsync<AmazonS3Exception>(() => _s3.CopyObjectAsync(onto).Within())).ErrorCode);
        onto.SourceVersionId = first;
        await _s3.CopyObjectAsync(onto).Within();
        Assert.Equal("first", (await GetAsync("k", null)).Text);
        Assert.Equal(3, (await ListAsync()).Count(version => version.Key == "k"));
    }

    [Fact]
    public async Task Batch_DeletesVersionsAndHidesObjects()
    {
        await SetAsync(VersionStatus.Enabled);
        string first = (await PutAsync("a", "1"))!;
        string second = (await PutAsync("a", "2"))!;
        await PutAsync("b", "1");

        DeleteObjectsResponse response = await _s3.DeleteObjectsAsync(new DeleteObjectsRequest
        {
            BucketName = BucketName,
            Objects = [new KeyVersion { Key = "a", VersionId = second }, new KeyVersion { Key = "b" }, new KeyVersion { Key = "none" }],
        }).Within();

        Assert.Equal([("a", null), ("b", true), ("none", true)], response.DeletedObjects.Select(one => (one.Key, one.DeleteMarker)));
        Assert.Equal(("1", first), await GetAsync("a", null));
        Assert.Equal(["a", "b", "b", "none"], (await ListAsync()).Select(version => version.Key));
        Assert.Equal(["a"], (await _s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName }).Within()).S3Objects.Select(one => one.Key));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(100)]
    public async Task Listing_OfAnyPageSize_HasAllVersionsInOrder(int pageSize)
    {
        await PutAsync("a", "0");
        await SetAsync(VersionStatus.Enabled);
        foreach (string key in (string[])["a", "a", "d/1", "d/2", "d/1", "e", "f/g", "é"])
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await PutAsync(key, "x");
        }

        await _s3.DeleteObjectAsync(BucketName, "e").Within();

        List<S3ObjectVersion> all = await ListAsync(pageSize);
        Assert.Equal(["a", "a", "a", "d/1", "d/1", "d/2", "e", "e", "f/g", "é"], all.Select(version => version.Key));
        Assert.Equal(all.Count, all.Select(version => (version.Key, version.VersionId)).Distinct().Count());
        Assert.All(all.GroupBy(version => version.Key), key => Assert.Equal(key.OrderByDescending(version => version.LastModified), key));
        Assert.Equal(["a", "d/1", "d/2", "e", "f/g", "é"], all.Where(version => version.IsLatest == true).Select(version => version.Key));

        List<string> level = [];
        ListVersionsRequest request = new() { BucketName = BucketName, Delimiter = "/", MaxKeys = pageSize };
        ListVersionsResponse page;
        do
        {
            page = await _s3.ListVersionsAsync(request).Within();
            level.AddRange([.. (page.Versions ?? []).Select(version => version.Key), .. page.CommonPrefixes ?? []]);
            (request.KeyMarker, request.VersionIdMarker) = (page.NextKeyMarker, page.NextVersionIdMarker);
        }
        while (page.IsTruncated == true);
        Assert.Equal(["a", "a", "a", "d/", "e", "e", "f/", "é"], level.Order(StringComparer.Ordinal));
        Assert.Equal(["d/1", "d/1", "d/2"], (await ListAsync(pageSize, "d/")).Select(version => version.Key));
    }

    /// <summary>A client deletes versions while it lists them.</summary>
    [Fact]
    public async Task Listing_WhoseMarkerWasDeleted_Continues()
    {
        await SetAsync(VersionStatus.Enabled);
        for (int i = 0; i < 5; i++)
        {
            await PutAsync("k", i.ToString());
        }

        ListVersionsRequest request = new() { BucketName = BucketName, MaxKeys = 2 };
        ListVersionsResponse page = await _s3.ListVersionsAsync(request).Within();
        foreach (S3ObjectVersion version in page.Versions)
        {
            await DeleteAsync("k", version.VersionId);
        }

        (request.KeyMarker, request.VersionIdMarker, request.MaxKeys) = (page.NextKeyMarker, page.NextVersionIdMarker, 100);
        Assert.Equal(3, (await _s3.ListVersionsAsync(request).Within()).Versions.Count);
    }

    /// <summary>A lock protects a version, so unlike in a bucket without versions, its object can be replaced and hidden.</summary>
    [Fact]
    public async Task LockedVersion_CanBeHidden_ButNotDeleted()
    {
        await SetAsync(VersionStatus.Enabled);
        PutObjectResponse locked = await _s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "x", ObjectLockLegalHoldStatus = ObjectLockLegalHoldStatus.On }).Within();

        await PutAsync("k", "y");
        await _s3.DeleteObjectAsync(BucketName, "k").Within();

        Assert.Equal("AccessDenied", (await Assert.ThrowsAsync<AmazonS3Exception>(() => DeleteAsync("k", locked.VersionId))).ErrorCode);
        Assert.Equal("x", (await GetAsync("k", locked.VersionId)).Text);
    }

    [Fact]
    public async Task Bucket_OfAServerWithADirectory_KeepsNoVersions()
    {
        using TemporaryFolder folder = new();
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [BucketName], Directory = folder.Path }).Within();
        using AmazonS3Client s3 = server.CreateClient();
        AmazonS3Exception e = await Assert.ThrowsAsync<AmazonS3Exception>(() => s3.PutBucketVersioningAsync(
            new PutBucketVersioningRequest { BucketName = BucketName, VersioningConfig = new S3BucketVersioningConfig { Status = VersionStatus.Enabled } }).Within());
        Assert.Equal(HttpStatusCode.NotImplemented, e.StatusCode);
    }

    private async Task SetAsync(VersionStatus status) => await _s3.PutBucketVersioningAsync(
        new PutBucketVersioningRequest { BucketName = BucketName, VersioningConfig = new S3BucketVersioningConfig { Status = status } }).Within();

    private async Task<string?> PutAsync(string key, string text)
        => (await _s3.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = key, ContentBody = text }).Within()).VersionId is { Length: > 0 } id ? id : null;

    private async Task<(string Text, string VersionId)> GetAsync(string key, string? versionId)
    {
        using GetObjectResponse response = await _s3.GetObjectAsync(BucketName, key, versionId).Within();
        using StreamReader reader = new(response.ResponseStream, Encoding.UTF8);
        return (await reader.ReadToEndAsync().Within(), response.VersionId);
    }

    private async Task<string> ErrorAsync(string key, string? versionId)
        => (await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => _s3.GetObjectAsync(BucketName, key, versionId).Within())).ErrorCode;

    private async Task<(string VersionId, string? DeleteMarker)> DeleteAsync(string key, string versionId)
    {
        DeleteObjectResponse response = await _s3.DeleteObjectAsync(BucketName, key, versionId).Within();
        return (response.VersionId, string.IsNullOrEmpty(response.DeleteMarker) ? null : response.DeleteMarker);
    }

    private async Task<List<S3ObjectVersion>> ListAsync(int pageSize = 1000, string? prefix = null)
    {
        List<S3ObjectVersion> all = [];
        ListVersionsRequest request = new() { BucketName = BucketName, MaxKeys = pageSize, Prefix = prefix };
        ListVersionsResponse page;
        do
        {
            page = await _s3.ListVersionsAsync(request).Within();
            all.AddRange(page.Versions ?? []);
            (request.KeyMarker, request.VersionIdMarker) = (page.NextKeyMarker, page.NextVersionIdMarker);
        }
        while (page.IsTruncated == true);
        return all;
    }
}
