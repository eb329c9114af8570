using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

public sealed class AbortUploadsTests : TransferTest
{
    [Fact]
    public async Task Prefix_AllUploadsAreAbortedPageByPage()
    {
        S3.UploadsInPage = 3;
        UnfinishedUpload[] wanted = [.. Enumerable.Range(10, 10).Select(i => Begin($"a/ä b+c{i / 2}", $"{i}"))];
        UnfinishedUpload other = Begin("b/x", "99");

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "a/").Within();

        Assert.Equal(wanted, result.Aborted);
        Assert.Empty(result.Failures);
        Assert.EachEqual((0, 14, 4), (result.KeptCount, result.Statistics.Requests, S3.GetCount(S3Call.ListUploads)));
        Assert.Equal([other], S3.Unfinished);
        Assert.Equal(wanted.Select(upload => (upload.Key, upload.UploadId)).Order(), Aborts().Select(abort => (abort.Key, abort.UploadId)).Order());
    }

    [Fact]
    public async Task YoungerUploads_AreKept()
    {
        Time.Advance(TimeSpan.FromDays(10));
        UnfinishedUpload old = Begin("a", "1", TimeSpan.FromDays(2));
        UnfinishedUpload edge = Begin("b", "2", TimeSpan.FromDays(1));
        Begin("c", "3", TimeSpan.FromDays(1) - TimeSpan.FromSeconds(1));
        S3.Unfinished.Add(new UnfinishedUpload { Key = "d", UploadId = "4" });

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, string.Empty, new AbortUploadsOptions { OlderThan = TimeSpan.FromDays(1) }).Within();

        Assert.Equal([old, edge], result.Aborted);
        Assert.EachEqual((2, 2), (result.KeptCount, S3.Unfinished.Count));
    }

    [Fact]
    public async Task DryRun_AbortsNone()
    {
        UnfinishedUpload one = Begin("a", "1");

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "a", new AbortUploadsOptions { DryRun = true }).Within();

        Assert.Equal([one], result.Aborted);
        Assert.Equal([one], S3.Unfinished);
        Assert.Empty(Aborts());
    }

    [Fact]
    public async Task OneAbortFails_OthersContinue()
    {
        UnfinishedUpload[] all = [.. Enumerable.Range(1, 5).Select(i => Begin($"k{i}", $"{i}"))];
        S3.Before = (call, _) => call.Operation == S3Call.Abort && call.Key == "k3" ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, string.Empty).Within();

        Assert.Equal([all[0], all[1], all[3], all[4]], result.Aborted);
        UnfinishedUpload failure = Assert.Single(result.Failures);
        Assert.EachEqual((all[2], "AccessDenied", "k3"), (failure with { Error = null }, failure.Error!.ErrorCode, failure.Error.Key));
    }

    [Theory]
    [InlineData(false, 0)] // ended by another client
    [InlineData(true, 1)] // ended by the first attempt, whose response was lost
    public async Task UploadIsAlreadyGone_IsNotAFailure(bool afterAnAttempt, int aborted)
    {
        Begin("a", "1");
        int attempts = 0;
        S3.Before = (call, _) =>
        {
            if (call.Operation != S3Call.Abort)
            {
                return Task.CompletedTask;
            }

            S3.Unfinished.Clear();
            throw afterAnAttempt && Interlocked.Increment(ref attempts) == 1 ? FakeS3.Busy() : FakeS3.Error(HttpStatusCode.NotFound, "NoSuchUpload");
        };

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "a").Within();

        Assert.EachEqual((aborted, 0), (result.Aborted.Count, result.Failures.Count));
    }

    /// <summary>A store can list an upload under a key that it doesn't accept.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task UploadIsReportedAsGoneButListed_IsAFailure(bool listingFails)
    {
        UnfinishedUpload listed = Begin("a%20b", "1");
        UnfinishedUpload other = Begin("c", "2");
        S3.Before = (call, _) => (call.Operation == S3Call.Abort && call.Key == listed.Key) || (listingFails && call.Operation == S3Call.ListUploads && S3.GetCount(S3Call.Abort) > 0)
            ? throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchUpload")
            : Task.CompletedTask;

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, string.Empty).Within();

        Assert.Equal([other], result.Aborted);
        UnfinishedUpload failure = Assert.Single(result.Failures);
        Assert.EachEqual((listed, "NoSuchUpload", "a%20b"), (failure with { Error = null }, failure.Error!.ErrorCode, failure.Error.Key));
    }

    /// <summary>Ceph encodes the keys of a list, but its response doesn't tell that.</summary>
    [Fact]
    public async Task StoreDoesNotNameTheEncoding_KeysAreRight()
    {
        S3.UploadsInPage = 2;
        S3.NamesUploadEncoding = false;
        UnfinishedUpload[] all = [Begin("up/a b", "1"), Begin("up/deep/x", "2"), Begin("up/x%20y", "3"), Begin("up/é+c", "4")];

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "up/").Within();

        Assert.Equal(all, result.Aborted);
        Assert.Empty(result.Failures);
        Assert.Equal(all.Select(upload => upload.Key).Order(), Aborts().Select(abort => abort.Key).Order());
    }

    [Fact]
    public async Task ListingFails_NothingIsAborted()
    {
        S3.UploadsInPage = 1;
        Begin("a", "1");
        Begin("b", "2");
        S3.Before = (call, _) => call.Operation == S3Call.ListUploads && ((ListMultipartUploadsRequest)call.Request!).KeyMarker is not null
            ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied")
            : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().AbortUploadsAsync(FakeS3.Bucket, string.Empty)).Within();

        Assert.EachEqual(("AccessDenied", FakeS3.Bucket), (e.ErrorCode, e.Bucket));
        Assert.Equal(2, S3.Unfinished.Count);
    }

    /// <summary>MinIO lists uploads by whole keys, or all uploads of a bucket.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task StoreTreatsThePrefixAsAKeyOrIgnoresIt_OnlyUploadsOfThePrefixAreAborted(bool ignores)
    {
        S3.IsListed = (key, prefix) => ignores || prefix.Length == 0 || key == prefix;
        UnfinishedUpload wanted = Begin("a/1", "1");
        UnfinishedUpload other = Begin("b/1", "2");

        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "a/").Within();

        Assert.Equal([wanted], result.Aborted);
        Assert.Equal([other], S3.Unfinished);
    }

    /// <summary>The store lists the upload whose key is the prefix, but not those of longer keys.</summary>
    [Fact]
    public async Task StoreTreatsThePrefixAsAKey_UploadOfTheKeyItselfIsNotAll()
    {
        S3.IsListed = (key, prefix) => prefix.Length == 0 || key == prefix;
        UnfinishedUpload[] wanted = [Begin("big", "1"), Begin("big.iso", "2"), Begin("big/deep", "3")];
        UnfinishedUpload other = Begin("bi", "4");

        Assert.Equal(wanted, await NewClient().ListUploadsAsync(FakeS3.Bucket, "big").ToListAsync().AsTask().Within());
        AbortUploadsResult result = await NewClient().AbortUploadsAsync(FakeS3.Bucket, "big").Within();

        Assert.Equal(wanted, result.Aborted);
        Assert.Equal([other], S3.Unfinished);
    }

    /// <summary>Only a permission can be missing for the whole bucket. Any other error means that uploads can be missing.</summary>
    [Fact]
    public async Task BucketCannotBeListedForAnotherReason_Throws()
    {
        S3.Before = (call, _) => call.Operation == S3Call.ListUploads && call.Key.Length == 0 ? throw FakeS3.Error(HttpStatusCode.BadRequest, "InvalidRequest") : Task.CompletedTask;
        await Assert.ThrowsAsync<TransferException>(() => NewClient().AbortUploadsAsync(FakeS3.Bucket, "a/")).Within();
    }

    [Fact]
    public async Task BucketCannotBeListed_IsNotAFailure()
    {
        S3.Before = (call, _) => call.Operation == S3Call.ListUploads && call.Key.Length == 0 ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        Assert.Empty((await NewClient().AbortUploadsAsync(FakeS3.Bucket, "a/").Within()).Aborted);
    }

    [Fact]
    public async Task Aborts_AreLimitedByTheConcurrency()
    {
        for (int i = 0; i < 20; i++)
        {
            Begin($"k{i:00}", $"{i:00}");
        }

        InProgress aborts = new();
        S3.Before = async (call, _) =>
        {
            if (call.Operation == S3Call.Abort)
            {
                aborts.Enter();
                await Task.Yield();
                aborts.Leave();
            }
        };

        AbortUploadsResult result = await NewClient(options => options.MaxConcurrency = 3).AbortUploadsAsync(FakeS3.Bucket, string.Empty).Within();

        Assert.Equal(20, result.Aborted.Count);
        Assert.InRange(aborts.Most, 1, 3);
    }

    [Fact]
    public async Task Arguments_Invalid_AreRejected()
    {
        TransferClient client = NewClient();
        await Assert.ThrowsAnyAsync<ArgumentException>(() => client.AbortUploadsAsync(" ", string.Empty)).Within();
        await Assert.ThrowsAnyAsync<ArgumentException>(() => client.AbortUploadsAsync(FakeS3.Bucket, null!)).Within();
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.AbortUploadsAsync(FakeS3.Bucket, string.Empty, new AbortUploadsOptions { OlderThan = TimeSpan.FromTicks(-1) })).Within();
        Assert.Empty(S3.Calls);
    }

    private UnfinishedUpload Begin(string key, string id, TimeSpan age = default)
    {
        UnfinishedUpload upload = new() { Key = key, UploadId = id, Initiated = Time.GetUtcNow() - age };
        S3.Unfinished.Add(upload);
        return upload;
    }

    private IEnumerable<AbortMultipartUploadRequest> Aborts() => S3.Calls.Select(call => call.Request).OfType<AbortMultipartUploadRequest>();
}
