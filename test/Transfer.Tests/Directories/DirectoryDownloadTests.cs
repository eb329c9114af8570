using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Directories;

/// <summary>Downloads of all objects under a prefix.</summary>
public sealed class DirectoryDownloadTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Fact]
    public async Task EveryObject_NeedsOneRequestBesidesTheListing()
    {
        int[] lengths = [0, 1, 4095, 4096, 4097, Part - 1, Part];
        Dictionary<string, byte[]> objects = lengths.Select((length, i) => ($"in/d{i % 3}/o{i}", S3.Put($"in/d{i % 3}/o{i}", length, i))).ToDictionary(one => one.Item1, one => one.Item2);
        S3.Put("in!", 1);
        S3.Put("inside", 1);
        CheckInGet();
        S3.PageSize = 3;

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path).Within();

        foreach ((string key, byte[] content) in objects)
        {
            Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File(key["in/".Length..])));
        }

        Assert.EachEqual((7, lengths.Sum(), 7, 0, 7 + 3, 0), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified, result.Counts.Skipped, result.Statistics.Requests, result.Statistics.Retries));
        Assert.EachEqual((7, 3), (S3.GetCount(S3Call.Get), S3.GetCount(S3Call.List)));
        Assert.Equal(10, S3.Calls.Count);
        Assert.All(S3.Gets, call => Assert.NotNull(call.IfMatch));
        Assert.Equal(7, Folder.Files.Count);
        Assert.Empty(result.Failures);
    }

    [Theory]
    [InlineData(Part + 1)]
    [InlineData((5 * Part) + 1)]
    public async Task LargeObject_IsDownloadedInPartsWithoutAHead(int length)
    {
        byte[] content = S3.Put("a/large", length);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "a/", Folder.Path).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("large")));
        Assert.Equal(1, result.Counts.Verified);
        Assert.Equal(0, S3.GetCount(S3Call.Head));
        Assert.True(S3.Gets.Count() >= length / Part);
    }

    [Fact]
    public async Task HostileKeys_AreSingleFailuresAndWriteNothingOutside()
    {
        string target = Folder.File("target/below");
        string[] hostile = ["../up", "a/../../up", "/absolute", "a//b", "C:/x", "a\\..\\..\\up", "a\0b", "a\u001bb", new string('n', 256), "..", "dir/..", "file/below", "data/"];
        string[] good = ["good", "file", "dir/good", "b c+d%25é"];
        foreach (string key in hostile.Concat(good))
        {
            S3.Put("p/" + key, 3);
        }

        CheckInGet();
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(
            FakeS3.Bucket, "p", target, new DirectoryOptions { OnFailure = FailurePolicy.Continue, ObjectEnded = told.Add }).Within();

        Assert.Equal(hostile.Order(StringComparer.Ordinal), result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.All(result.Failures, failure => Assert.Contains("can't be a file", failure.Error!.Message, StringComparison.Ordinal));
        Assert.All(result.Failures, failure => Assert.EachEqual((OutcomeStatus.Failed, "p/" + failure.Name), (failure.Status, ((TransferException)failure.Error!).Key)));
        Assert.Equal(good.Length, result.Counts.Copied);
        Assert.Equal(good.Length, S3.Gets.Count());
        Assert.Equal(hostile.Length + good.Length, told.Count);
        Assert.Equal(
            good.Select(key => Path.Combine(target, key)).Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(Folder.Path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task HostileKey_WithAbort_IsThrown()
    {
        S3.Put("p/..", 3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path).Within());

        Assert.Equal("p/..", e.Key);
    }

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
    public async Task Failure_WithContinue_IsInTheResultAndTheRestIsDownloaded()
    {
        for (int i = 0; i < 20; i++)
        {
            S3.Put($"o{i:00}", 10);
        }

        CheckInGet();
        S3.Before = (call, _) => call is { Operation: S3Call.Get, Key: "o07" or "o13" } ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal(["o07", "o13"], result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.All(result.Failures, failure => Assert.Equal("AccessDenied", ((TransferException)failure.Error!).ErrorCode));
        Assert.EachEqual((18, 180), (result.Counts.Copied, result.Counts.Bytes));
        Assert.Equal(18, Folder.Files.Count);
    }

    [Fact]
    public async Task Failure_WithAbort_StopsTheRest()
    {
        for (int i = 0; i < 500; i++)
        {
            S3.Put($"o{i:000}", 10);
        }

        CheckInGet();

        // Objects after the failing one complete only when they are canceled.
        S3.Before = (call, token) => call.Operation != S3Call.Get || string.CompareOrdinal(call.Key, "o005") < 0 ? Task.CompletedTask
            : call.Key == "o005" ? throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied")
            : Task.Delay(Timeout.InfiniteTimeSpan, token);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path).Within());

        Assert.EachEqual(("o005", "AccessDenied"), (e.Key, e.ErrorCode));
        Assert.InRange(S3.Gets.Count(), 1, 499); // objects start concurrently, so the failing one may be requested first
        Assert.All(Folder.Files, name => Assert.DoesNotContain(".transfer", name, StringComparison.Ordinal));
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
    public async Task SkipExisting_KeepsExistingFilesWithoutARequest()
    {
        S3.Put("a", 10);
        byte[] content = S3.Put("d/b", 10);
        CheckInGet();
        Folder.File("a", [1]);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { SkipExisting = true }).Within();

        Assert.EachEqual((1, 1, 10), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Bytes));
        Assert.Equal([1], await File.ReadAllBytesAsync(Folder.File("a")));
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("d/b")));
        Assert.Single(S3.Gets);
    }

    [Fact]
    public async Task SkipExisting_KeepsFilesThatAppearMeanwhile()
    {
        S3.Put("a", 10);
        CheckInGet();
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Get)
            {
                Folder.File("a", [1]);
            }

            return Task.CompletedTask;
        };

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, new DirectoryOptions { SkipExisting = true }).Within();

        Assert.EachEqual((0, 1), (result.Counts.Copied, result.Counts.Skipped));
        Assert.Equal([1], await File.ReadAllBytesAsync(Folder.File("a")));
        Assert.Equal(["a"], Folder.Files);
    }

    [Fact]
    public async Task DryRun_ReportsTransfersWithoutDownloading()
    {
        S3.Put("a", 10);
        S3.Put("d/b", 20);
        S3.Put("d/c.log", 30);
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(
            FakeS3.Bucket, string.Empty, Folder.File("new"), new DirectoryOptions { DryRun = true, Exclude = ["*.log"], ObjectEnded = told.Add }).Within();

        Assert.EachEqual((2, 30), (result.Counts.Copied, result.Counts.Bytes));
        Assert.Equal([("a", OutcomeStatus.Planned), ("d/b", OutcomeStatus.Planned)], told.Select(one => (one.Name, one.Status)).Order());
        Assert.Equal(Folder.File("new/d/b"), told.Single(one => one.Name == "d/b").Target);
        Assert.Empty(S3.Gets);
        Assert.False(Directory.Exists(Folder.File("new")));
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
    public async Task Cancellation_KeepsCompleteFilesOnly()
    {
        Gate gate = new();
        using CancellationTokenSource stop = new();
        for (int i = 0; i < 30; i++)
        {
            S3.Put($"o{i:00}", 100);
        }

        CheckInGet();
        S3.Before = (call, token) => call is { Operation: S3Call.Get, Key: "o10" } ? gate.PassAsync(token) : Task.CompletedTask;
        Task<DirectoryResult> download = NewClient().DownloadDirectoryAsync(FakeS3.Bucket, string.Empty, Folder.Path, cancellationToken: stop.Token);
        await gate.Reached;

        await stop.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download.Within());
        Assert.Equal(stop.Token, e.CancellationToken);
        Assert.All(Folder.Files, name => Assert.Equal(100, new FileInfo(Folder.File(name)).Length));
        Assert.DoesNotContain("o10", Folder.Files);
    }

    [Fact]
    public async Task Listing_Fails_IsThrown()
    {
        S3.Before = (call, _) => call.Operation == S3Call.List ? throw FakeS3.Error(System.Net.HttpStatusCode.NotFound, "NoSuchBucket") : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within());

        Assert.EachEqual(("NoSuchBucket", FakeS3.Bucket), (e.ErrorCode, e.Bucket));
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
    public async Task Object_NotUnderThePrefix_IsAFailureAndLeavesNoFile()
    {
        S3.Put("p/a", 1);
        CheckInGet();
        S3.Page = page => page.S3Objects.Add(new Amazon.S3.Model.S3Object { Key = "pother/b", Size = 1 });

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Outcome failure = Assert.Single(result.Failures);
        Assert.EachEqual((1, "pother/b", null), (result.Counts.Copied, failure.Name, failure.Target));
        Assert.Contains("is not under 'p/'", failure.Error?.Message, StringComparison.Ordinal);
        Assert.Equal(["a"], Folder.Files);
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
