using System.Globalization;
using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Directories;

/// <summary>Calls that list a slow store, which is listed in ranges of keys.</summary>
public sealed class SlowListingTests : TransferTest
{
    private const int Objects = 400;
    private const string DirectoryBucket = "b--usw2-az1--x-s3";

    public SlowListingTests()
    {
        S3.PageSize = 10;
        S3.Before = (call, token) => call.Operation == S3Call.List ? Task.Delay(TimeSpan.FromMilliseconds(30), Time, token) : Task.CompletedTask;
        Random random = new(1);
        for (int i = 0; i < Objects; i++)
        {
            S3.Put(string.Create(CultureInfo.InvariantCulture, $"p/{random.Next(1_000_000):000000}/x"), 1);
        }
    }

    private List<string> Starts => [.. S3.Calls.Select(call => call.Request).OfType<ListObjectsV2Request>().Select(request => request.StartAfter).OfType<string>()];

    private string[] Keys => [.. S3.Objects.Keys.Order(KeyOrder.Instance)];

    [Fact]
    public async Task Listing_HasRanges_AndIsComplete()
    {
        List<ListedObject> listed = await NewClient().ListObjectsAsync(FakeS3.Bucket, "p/").ToListAsync().AsTask().Within();

        Assert.Equal(Keys, listed.Select(item => item.Key));
        Assert.NotEmpty(Starts);
        Assert.All(Starts, start => Assert.StartsWith("p/", start, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(FakeS3.Bucket, "-")]
    [InlineData(DirectoryBucket, null)]
    public async Task LevelsAndDirectoryBuckets_HaveNoRanges(string bucket, string? delimiter)
    {
        List<ListedObject> listed = await NewClient().ListObjectsAsync(bucket, "p/", new ListObjectsOptions { Delimiter = delimiter }).ToListAsync().AsTask().Within();

        Assert.Equal(Keys, listed.Select(item => item.Key));
        Assert.Empty(Starts);
    }

    [Fact]
    public async Task Deletion_HasRanges_AndDeletesAll()
    {
        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p").Within();

        Assert.Equal(Objects, result.Counts.Deleted);
        Assert.Empty(S3.Objects);
        Assert.NotEmpty(Starts);
    }

    [Fact]
    public async Task Copy_WithPatterns_HasRanges()
    {
        DirectoryOptions options = new() { Exclude = ["0*/", "5*/"] };

        DirectoryResult result = await NewClient().CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InBucket("other", "q"), options).Within();

        int expected = Keys.Count(key => key.StartsWith("p/", StringComparison.Ordinal) && key[2] is not ('0' or '5'));
        Assert.EachEqual((expected, 0), (result.Counts.Copied, result.Counts.Failed));
        Assert.Equal(expected, Keys.Count(key => key.StartsWith("q/", StringComparison.Ordinal)));
        Assert.NotEmpty(Starts);
    }

    /// <summary>A listing that isn't complete must not look like one, whichever of its requests fails.</summary>
    [Fact]
    public async Task AnyListingRequestFails_SyncDeletesNothing()
    {
        foreach (string key in Keys.Where((_, i) => i % 3 > 0))
        {
            Directory.CreateDirectory(Folder.File(key["p/".Length..^2]));
            Folder.File(key["p/".Length..], [0]);
        }

        int divided = 0;
        for (int failed = 1; failed < 60; failed += LongTests.Choose(full: 1, quick: 6))
        {
            int lists = 0;
            S3.Calls.Clear();
            S3.Before = async (call, token) =>
            {
                if (call.Operation == S3Call.List)
                {
                    await Task.Delay(TimeSpan.FromMilliseconds(30), Time, token);
                    bool isSecondLook = call.Request is ListObjectsV2Request { StartAfter: { } key } && S3.Objects.ContainsKey(key); // targets are looked up before they are deleted
                    if (!isSecondLook && Interlocked.Increment(ref lists) == failed)
                    {
                        throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
                    }
                }
            };
            SyncOptions options = new()
            {
                Delete = true,
                MaxDelete = DeletionLimit.Percent(100),
                DeleteDespiteFailures = true,
                Comparison = SyncComparison.Size,
                OnFailure = FailurePolicy.Continue,
            };

            Exception? error = await Record.ExceptionAsync(() => NewClient().SyncAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), options).Within());

            divided += Starts.Count > 0 ? 1 : 0;
            if (lists < failed)
            {
                Assert.Null(error);
                break; // the listing was complete, and deletes
            }

            Assert.True(error is TransferException, $"{failed}: {error}");
            Assert.Equal(Objects, S3.Objects.Count);
        }

        Assert.True(divided > 0, "nothing was divided");
    }
}
