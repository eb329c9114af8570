using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Archived objects in transfers of many objects: each fails, is skipped, or is restored, and none is read before it can be.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public sealed class ArchivedObjectsTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "bucket";
    private readonly TemporaryFolder _folder = new();
    private readonly FakeTimeProvider _time = new(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero));
    private EmbeddedS3Server _server = null!;
    private AmazonS3Client _s3 = null!;
    private TransferClient _client = null!;

    private DirectoryOptions Options { get; set; } = new() { OnFailure = FailurePolicy.Continue };

    public async Task InitializeAsync()
    {
        _server = await ClockedServer.StartAsync(_time, new EmbeddedS3ServerOptions { Buckets = [Bucket], RestoreTime = TimeSpan.FromHours(4), AllowAnonymous = true });
        _s3 = Anonymous(_server);
        _client = new TransferClient(_s3);
        await PutAsync("p/archived", S3StorageClass.Glacier);
        await PutAsync("p/deep", S3StorageClass.DeepArchive);
        await PutAsync("p/instant", S3StorageClass.GlacierInstantRetrieval);
        await PutAsync("p/restored", S3StorageClass.Glacier);
        await PutAsync("p/usual", S3StorageClass.Standard);
        await _client.RestoreAsync(Bucket, "p/restored", new RestoreOptions { Days = 1 }).Within();
        _time.Advance(TimeSpan.FromHours(4));
        await _client.RestoreAsync(Bucket, "p/deep", new RestoreOptions { Days = 30 }).Within();
        await _client.RestoreAsync(Bucket, "p/deep", new RestoreOptions { Days = 30 }).Within(); // in progress
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        _s3.Dispose();
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Theory]
    [InlineData(false, TransferWire.Http)]
    [InlineData(true, TransferWire.Http)]
    [InlineData(false, TransferWire.Sdk)]
    public async Task Fail_EachArchivedObjectIsAFailureAndIsNotRead(bool copies, TransferWire wire)
    {
        await using TransferClient client = new(_s3, new TransferClientOptions { Advanced = { Wire = wire } });

        DirectoryResult result = await RunAsync(client, copies);

        Assert.EachEqual((3, 2, 0, 0), (result.Counts.Copied, result.Counts.Failed, result.Counts.Archived, result.Counts.Restoring));
        Assert.Equal(["archived", "deep"], result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.All(result.Failures, failure => Assert.Equal(TransferError.Archived, ((TransferException)failure.Error!).Error));
        Assert.All(result.Failures, failure => Assert.EndsWith("is archived, and can't be read before it is restored.", failure.Error!.Message, StringComparison.Ordinal));
        AssertNotRead("p/archived", "p/deep");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Skip_ArchivedObjectsAreCounted(bool copies)
    {
        Options = Options with { Archived = ArchivedObjects.Skip };

        DirectoryResult result = await RunAsync(_client, copies);

        Assert.EachEqual((3, 0, 2, 0, 0), (result.Counts.Copied, result.Counts.Failed, result.Counts.Archived, result.Counts.Restoring, result.Counts.Skipped));
        AssertNotRead("p/archived", "p/deep");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Restore_IsRequestedOnceAndTheObjectsAreTransferredLater(bool copies)
    {
        Options = Options with { Archived = ArchivedObjects.Restore, RestoreDays = 3, SkipExisting = true };
        int before = Restorations;

        DirectoryResult first = await RunAsync(_client, copies);
        DirectoryResult again = await RunAsync(_client, copies);
        int requested = Restorations - before;
        _time.Advance(TimeSpan.FromHours(4));
        AssertNotRead("p/archived", "p/deep");
        DirectoryResult last = await RunAsync(_client, copies);

        Assert.EachEqual((3, 0, 2), (first.Counts.Copied, first.Counts.Failed, first.Counts.Restoring));
        Assert.EachEqual((0, 0, 2, 3), (again.Counts.Copied, again.Counts.Failed, again.Counts.Restoring, again.Counts.Skipped));
        Assert.Equal(1, requested); // that of the deep archive was in progress
        Assert.EachEqual((2, 0, 0, 3), (last.Counts.Copied, last.Counts.Failed, last.Counts.Restoring, last.Counts.Skipped));
        Assert.Equal(3, (await _client.GetInfoAsync(Bucket, "p/archived").Within()).Restore!.Until!.Value.Subtract(_time.GetUtcNow()).TotalDays, 0.01);
    }

    [Theory]
    [InlineData(false, ArchivedObjects.Fail)]
    [InlineData(true, ArchivedObjects.Fail)]
    [InlineData(false, ArchivedObjects.Skip)]
    [InlineData(true, ArchivedObjects.Skip)]
    [InlineData(false, ArchivedObjects.Restore)]
    [InlineData(true, ArchivedObjects.Restore)]
    public async Task DryRun_CountsThemAsTheTransferWouldAndRequestsNothing(bool copies, ArchivedObjects archived)
    {
        Options = Options with { Archived = archived, DryRun = true };
        int before = Restorations;

        DirectoryResult result = await RunAsync(_client, copies);

        int Expected(ArchivedObjects policy) => policy == archived ? 2 : 0;
        Assert.Equal(
            (3, Expected(ArchivedObjects.Fail), Expected(ArchivedObjects.Skip), Expected(ArchivedObjects.Restore)),
            (result.Counts.Copied, result.Counts.Failed, result.Counts.Archived, result.Counts.Restoring));
        Assert.Equal(before, Restorations);
        Assert.Equal(5, (await _s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).KeyCount);
        Assert.False(Directory.Exists(_folder.File("target")));
    }

    [Fact]
    public async Task Keys_WithoutAStorageClass_AreRestoredWhenTheStoreRefusesToReadThem()
    {
        Options = Options with { Archived = ArchivedObjects.Restore, Keys = new[] { new ObjectKey { Key = "p/archived" }, new ObjectKey { Key = "p/usual" } }.ToAsyncEnumerable() };

        DirectoryResult result = await RunAsync(_client, copies: false);

        Assert.EachEqual((1, 0, 1), (result.Counts.Copied, result.Counts.Failed, result.Counts.Restoring));
    }

    [Fact]
    public async Task Move_ArchivedObject_StaysWhereItIs()
    {
        Options = Options with { Archived = ArchivedObjects.Restore, DeleteSource = true, Copy = new CopyOptions { AllowedLosses = ["x-amz-storage-class"] } };

        DirectoryResult result = await RunAsync(_client, copies: true);

        Assert.EachEqual((3, 0, 2), (result.Counts.Copied, result.Counts.Failed, result.Counts.Restoring));
        Assert.Equal(["p/archived", "p/deep"], (await _s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket, Prefix = "p/" }).Within()).S3Objects.Select(item => item.Key));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(36_501)]
    public async Task Restore_DaysOutOfRange_AreRejected(int days)
    {
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _client.RestoreAsync(Bucket, "p/archived", new RestoreOptions { Days = days }));
        Options = Options with { RestoreDays = days };
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => RunAsync(_client, copies: false));
    }

    [Fact]
    public async Task Restore_ObjectThatIsNotArchived_IsAnError()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => _client.RestoreAsync(Bucket, "p/usual"));

        Assert.Equal("InvalidObjectState", error.ErrorCode);
    }

    private int Restorations => _server.Requests.Count(request => request is { Operation: "RestoreObject", StatusCode: 202 });

    private Task<DirectoryResult> RunAsync(TransferClient client, bool copies) => copies
        ? client.CopyTreeAsync(Place.InBucket(Bucket, "p"), Place.InBucket(Bucket, "copies"), Options).Within()
        : client.DownloadDirectoryAsync(Bucket, "p", _folder.File("target"), Options).Within();

    private void AssertNotRead(params string[] keys)
        => Assert.DoesNotContain(_server.Requests, request => request.Operation is "GetObject" or "CopyObject" && keys.Any(key => request.Key == key || request.Key?.EndsWith(key[1..], StringComparison.Ordinal) == true));

    private async Task PutAsync(string key, S3StorageClass storageClass)
        => await _s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, ContentBody = key, StorageClass = storageClass }).Within();

    /// <summary>Creates a client without credentials, because signatures contain the time of this machine.</summary>
    private static AmazonS3Client Anonymous(EmbeddedS3Server server)
        => new(new AnonymousAWSCredentials(), new AmazonS3Config { ServiceURL = server.Endpoint.ToString(), ForcePathStyle = true, MaxErrorRetry = 0 });
}
