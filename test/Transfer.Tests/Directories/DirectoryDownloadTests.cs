using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Directories;

/// <summary>Downloads of all objects under a prefix.</summary>
public sealed class DirectoryDownloadTests : TransferTest
{
    [Fact]
    public async Task LinksInTheTarget_AreNotFollowed()
    {
        using TemporaryFolder outside = new();
        outside.File("far", [9]);
        Directory.CreateSymbolicLink(Folder.File("out"), outside.Path);
        File.CreateSymbolicLink(Folder.File("file"), outside.File("far"));
        S3.Put("out/a", 3);
        S3.Put("out/b/c", 3);
        S3.Put("out/empty/", 0);
        byte[] content = S3.Put("file", 3);
        CheckInGet();

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal(["far"], outside.Files);
        Assert.Equal([9], await File.ReadAllBytesAsync(outside.File("far")));
        Assert.Equal(["out/a", "out/b/c", "out/empty/"], result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.All(result.Failures, failure => Assert.Contains("symbolic link", failure.Error!.Message, StringComparison.Ordinal));
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("file")));
        Assert.Null(new FileInfo(Folder.File("file")).LinkTarget);
    }

    [Theory]
    [InlineData(TransferDefaults.MaxKeptFailures)]
    [InlineData(TransferDefaults.MaxKeptFailures + 1)]
    [InlineData(TransferDefaults.MaxKeptFailures + 500)]
    public async Task Failures_ManyOfThem_AreCountedAndReportedAndTheFirstAreKept(int count)
    {
        for (int i = 0; i < count; i++)
        {
            S3.Put($"o{i}", 1);
        }

        S3.Put("p", 1);
        CheckInGet();
        S3.Before = (call, _) => call is { Operation: S3Call.Get, Key: not "p" } ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "InvalidObjectState") : Task.CompletedTask;
        List<string> told = [];
        DirectoryOptions options = new() { OnFailure = FailurePolicy.Continue, ObjectEnded = outcome => told.Add($"{outcome.Status} {outcome.Name}") };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, options).Within();

        Assert.EachEqual((1, count, TransferDefaults.MaxKeptFailures), (result.Counts.Copied, result.Counts.Failed, result.Failures.Count));
        Assert.Equal(count + 1, told.Distinct().Count());
        Assert.Subset(told.ToHashSet(), result.Failures.Select(failure => $"{failure.Status} {failure.Name}").ToHashSet());
    }

    [Fact]
    public async Task Object_ReplacedAfterTheListing_IsDownloadedAsItIsNow()
    {
        S3.Put("a", 10);
        CheckInGet();
        byte[] now = Sample.Bytes(20, 7);
        S3.Page = page =>
        {
            S3.Objects["a"] = FakeObject.Checked(now) with { ETag = Sums.Tag(now) };
        };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within();

        Assert.Equal(now, await File.ReadAllBytesAsync(Folder.File("a")));
        Assert.EachEqual((1, 20), (result.Counts.Copied, result.Counts.Bytes));
    }

    /// <summary>The listing has an ETag. A response without one is probably that of something else, such as a gateway, even if the size that it has now is unknown.</summary>
    [Fact]
    public async Task Object_HasNoETagAnymore_IsNotDownloaded()
    {
        S3.Put("a", 10);
        CheckInGet();
        S3.Page = page => S3.Objects["a"] = new FakeObject(Sample.Bytes(20), null);

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => NewClient(options => options.MaxAttempts = 2).DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within());

        Assert.Contains("the response has no ETag, but the listing has one", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((2, 0), (e.Attempts, Folder.Files.Count));
    }

    [Theory]
    [InlineData("a")]
    [InlineData("b/")]
    public async Task Object_ListedTwice_IsDownloadedOnce(string twice)
    {
        S3.Put("a", 10);
        S3.Put("b/", 0);
        S3.Put("c", 10);
        S3.PageSize = 1;
        S3.Page = page =>
        {
            if (page.S3Objects[0].Key == twice)
            {
                page.S3Objects.Add(page.S3Objects[0]);
            }
        };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within();

        Assert.EachEqual((2, 0), (result.Counts.Copied, result.Failures.Count));
        Assert.Equal(["a", "c"], S3.Gets.Select(call => call.Key).Order());
    }

    [Fact]
    public async Task Object_DeletedAfterTheListing_IsAFailure()
    {
        S3.Put("a", 10);
        S3.Put("b", 10);
        CheckInGet();
        S3.Page = page => S3.Objects.TryRemove("a", out _);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal("a", Assert.Single(result.Failures).Name);
        Assert.Equal(["b"], Folder.Files);
    }

    [Fact]
    public async Task Content_DiffersFromTheChecksum_LeavesNoFile()
    {
        byte[] content = S3.Put("a", 10);
        CheckInGet();
        S3.Body = (_, bytes) => new ScriptedStream(new byte[bytes.Length]);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.IsType<ChecksumMismatchException>(Assert.Single(result.Failures).Error);
        Assert.Empty(Folder.Files);
        Assert.NotEqual(new byte[10], content);
    }

    [Fact]
    public async Task NoObjects_CreatesNoFolder()
    {
        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.File("new")).Within();

        Assert.EachEqual((0, 1), (result.Counts.Copied, result.Statistics.Requests));
        Assert.False(Directory.Exists(Folder.File("new")));
    }

    [Fact]
    public async Task FolderMarkers_CreateFoldersExceptThatOfThePrefix()
    {
        S3.Put("p/", 0);
        S3.Put("p/empty/", 0);
        S3.Put("p/deep/er/", 0);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p/", Folder.Path).Within();

        Assert.Equal(0, result.Counts.Copied);
        Assert.True(Directory.Exists(Folder.File("empty")) && Directory.Exists(Folder.File("deep/er")));
        Assert.Empty(Folder.Files);
        Assert.Empty(S3.Gets);
    }

    [Fact]
    public async Task Progress_CoversTheDirectoryAndEventsCoverBoth()
    {
        for (int i = 0; i < 5; i++)
        {
            S3.Put($"p/o{i}", 100);
        }

        CheckInGet();
        List<TransferProgress> reports = [];
        TransferEvents whole = new();
        TransferEvents each = new();
        List<string> events = [];
        whole.Initiated += (_, e) => Add(events, $"begin {e.Key}");
        whole.Completed += (_, e) => Add(events, $"end {e.Key} {e.Progress.BytesTransferred} {e.Progress.ObjectsCompleted}");
        each.Completed += (_, e) => Add(events, e.Key);

        await NewClient().DownloadDirectoryAsync(
            FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { Events = whole, Download = new DownloadOptions { Events = each } }, new RecordedProgress(reports)).Within();

        TransferProgress last = reports[^1];
        Assert.EachEqual((500, 500, 5, 5), (last.BytesTransferred, last.TotalBytes, last.ObjectsCompleted, last.TotalObjects));
        Assert.Equal(TimeSpan.Zero, last.Remaining);
        Assert.Equal(6, last.Requests);
        Assert.Equal("end p/ 500 5", events[^1]);
        Assert.Equal(["begin p/", "p/o0", "p/o1", "p/o2", "p/o3", "p/o4"], events.SkipLast(1).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Listing_StoreIsBusy_IsRetried()
    {
        S3.Put("a", 1);
        CheckInGet();
        S3.Before = (call, _) => call is { Operation: S3Call.List, Number: 1 } ? throw FakeS3.Busy() : Task.CompletedTask;

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within();

        Assert.EachEqual((1, 3, 1), (result.Counts.Copied, result.Statistics.Requests, result.Statistics.Retries));
    }

    [Fact]
    public async Task Listing_RepeatsAPage_Throws()
    {
        S3.Put("a", 1);
        CheckInGet();
        S3.Page = page =>
        {
            page.IsTruncated = true;
            page.NextContinuationToken = "same";
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within());

        Assert.Contains("the same page of the listing again", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Each page has a new token, but its objects were on a page before.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Listing_GoesInACircle_Throws(int pages)
    {
        S3.Put("a", 1);
        S3.Put("b", 1);
        CheckInGet();
        S3.PageSize = 1;
        int listed = 0;
        S3.Page = page =>
        {
            page.S3Objects[0].Key = listed % pages == 0 ? "a" : "b";
            page.IsTruncated = true;
            page.NextContinuationToken = listed++ % 2 == 0 ? "A" : "AA"; // tokens that the fake takes for keys
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within());

        Assert.Contains("the same page of the listing again", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Listing_IsTruncatedWithoutAToken_Throws()
    {
        S3.Put("a", 1);
        CheckInGet();
        S3.Page = page => page.IsTruncated = true;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within());

        Assert.Contains("incomplete listing", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Target_IsAFile_ThrowsBeforeAnyRequest()
    {
        Folder.File("file", [1]);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.File("file")).Within());

        Assert.Contains("is a file", e.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Options_ForOneObject_AreRejected()
    {
        TransferClient client = NewClient();
        DownloadOptions[] wrong =
        [
            new() { Hint = new ObjectHint { Length = 1 } }, new() { Range = ObjectRange.From(0, 1) }, new() { VersionId = "v" }, new() { IfMatch = "e" },
            new() { IfNoneMatch = "e" }, new() { IfModifiedSince = DateTimeOffset.UnixEpoch }, new() { IfUnmodifiedSince = DateTimeOffset.UnixEpoch },
        ];

        foreach (DownloadOptions options in wrong)
        {
            ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(
                () => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { Download = options }).Within());
            Assert.Contains("is for one object", e.Message, StringComparison.Ordinal);
        }

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { MaxConcurrentObjects = 0 }).Within());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { OnFailure = (FailurePolicy)7 }).Within());
        await Assert.ThrowsAnyAsync<ArgumentException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", " ").Within());
        await Assert.ThrowsAnyAsync<ArgumentException>(() => client.DownloadDirectoryAsync(" ", "p", Folder.Path).Within());
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task LastModified_IsTakenFromTheMetadata(bool keep)
    {
        DateTimeOffset time = new(2003, 4, 5, 6, 7, 8, TimeSpan.Zero);
        S3.Put("a", 1);
        CheckInGet();
        S3.Answer = (_, answer) => answer.Metadata["mtime"] = time.ToUnixTimeSeconds().ToString(System.Globalization.CultureInfo.InvariantCulture);

        await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { Download = new DownloadOptions { KeepLastModified = keep } }).Within();

        Assert.Equal(keep, File.GetLastWriteTimeUtc(Folder.File("a")) == time.UtcDateTime);
    }

    /// <summary>Returns checksums with a GET of a whole object, as S3 does.</summary>
    private void CheckInGet()
    {
        foreach (string key in S3.Objects.Keys)
        {
            S3.Objects[key] = S3.Objects[key] with { Crc64NvmeInGet = S3.Objects[key].Crc64Nvme };
        }
    }

    private static void Add(List<string> list, string item)
    {
        lock (list)
        {
            list.Add(item);
        }
    }
}
