using System.Runtime.CompilerServices;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Deletions, copies, and downloads of objects in a list of keys instead of a listing.</summary>
public sealed class KeyListTests : TransferTest
{
    private const string Other = "other";
    private const int Part = 64 * 1024;

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0, 1)]
    [InlineData(1000, 1, 0)]
    [InlineData(1001, 1, 1)]
    public async Task Deletion_SendsOnlyDeletions(int count, int batches, int alone)
    {
        string[] keys = PutMany(count);
        S3.Put("p/not in the list", 1);
        new Random(count).Shuffle(keys);

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { Keys = AsKeys(keys) }).Within();

        Assert.EachEqual((count, 0, 0, batches + alone), (result.Counts.Deleted, result.Counts.DeletedBytes, result.Counts.Failed, result.Statistics.Requests));
        Assert.Equal("p/not in the list", Assert.Single(S3.Objects).Key);
        Assert.EachEqual((batches, alone, batches + alone), (S3.GetCount(S3Call.DeleteBatch), S3.GetCount(S3Call.Delete), S3.Calls.Count));
    }

    [Fact]
    public async Task Deletion_KeysThatAreMissingRepeatedOrSpecial_AreDeleted()
    {
        string[] keys = ["p/b", "p/a", "p/a", "p/missing", "p/b", "p/x\u0001y", "p/<&>\"'", "p/é😀", "p/+%2F ", "p/"];
        Array.ForEach(keys, key => S3.Put(key, 1));
        S3.Objects.TryRemove("p/missing", out _);

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p/", new DeleteDirectoryOptions { Keys = AsKeys(keys) }).Within();

        Assert.EachEqual((9, 0), (result.Counts.Deleted, result.Counts.Failed)); // p/b twice, because another key is between them
        Assert.Empty(S3.Objects);
        Assert.Equal(0, S3.GetCount(S3Call.List) + S3.GetCount(S3Call.Head));
    }

    /// <summary>The state that a list tells is why an object is in the list.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Deletion_ETagOfTheList_IsACondition(bool isIgnoredByTheStore)
    {
        S3.IgnoresDeletionConditions = isIgnoredByTheStore;
        string[] keys = PutMany(4);
        ObjectKey[] list = [.. keys[..3].Select(Known), new ObjectKey { Key = keys[3] }];
        Array.ForEach(keys[2..], key => S3.Objects[key] = new FakeObject(new byte[9], "\"new\""));

        DeleteDirectoryOptions options = new() { Keys = list.ToAsyncEnumerable(), OnFailure = FailurePolicy.Continue };
        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within();

        Assert.EachEqual((3, 1), (result.Counts.Deleted, result.Counts.Failed)); // also the one without an ETag
        Assert.IsError(TransferError.PreconditionFailed, result.Failures[0].Error);
        Assert.Equal(keys[2], Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_OnlyIfUnchanged_KeyWithoutETagIsAFailure()
    {
        string[] keys = PutMany(2);
        ObjectKey[] list = [new ObjectKey { Key = keys[0] }, Known(keys[1])];

        DeleteDirectoryOptions options = new() { Keys = list.ToAsyncEnumerable(), OnlyIfUnchanged = true, OnFailure = FailurePolicy.Continue };
        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within();

        Assert.EachEqual((1, 1), (result.Counts.Deleted, result.Counts.Failed));
        Assert.Contains("the list of keys has no ETag for it", result.Failures[0].Error!.Message, StringComparison.Ordinal);
        Assert.Equal(keys[0], Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_WithPatterns_DeletesWhatBothSelect()
    {
        string[] keys = ["a.log", "d/b.log", "c.txt"];
        Array.ForEach(keys, key => S3.Put(key, 1));

        DeleteDirectoryOptions options = new() { Keys = AsKeys(keys), Include = ["*.log"] };
        await NewClient().DeleteTreeAsync(FakeS3.Bucket, string.Empty, options).Within(); // an empty prefix needs no permission

        Assert.Equal("c.txt", Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_DryRun_SendsNothing()
    {
        string[] keys = PutMany(3);
        List<string> planned = [];

        DeleteDirectoryOptions options = new() { Keys = AsKeys(keys), DryRun = true, ObjectEnded = outcome => planned.Add("p/" + outcome.Name) };
        await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within();

        Assert.Equal(keys, planned);
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Deletion_KeyOutsideThePrefix_IsAFailureAndRemains()
    {
        S3.Put("p/a", 1);
        S3.Put("q/a", 1);
        string[] keys = ["q/a", "p/a"];

        DeleteDirectoryOptions options = new() { Keys = AsKeys(keys), OnFailure = FailurePolicy.Continue };
        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within();

        Assert.EachEqual((1, 1), (result.Counts.Deleted, result.Counts.Failed));
        Assert.Contains("s3://bucket/q/a is in the list of keys, but is not under 'p/'", result.Failures[0].Error!.Message.Replace(FakeS3.Bucket, "bucket", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Equal("q/a", Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_EmptyKey_IsNeverSent()
    {
        string[] keys = [string.Empty];
        DeleteDirectoryOptions options = new() { Keys = AsKeys(keys), AnyPrefix = true, OnFailure = FailurePolicy.Continue };
        await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, string.Empty, options).Within());
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Deletion_ListThatNeverEnds_IsReadNoFurtherThanTheRequests()
    {
        long read = 0;
        using CancellationTokenSource stop = new();
        S3.Before = async (call, token) =>
        {
            Assert.Equal(S3Call.DeleteBatch, call.Operation);
            await Deadline.Until(() => S3.GetCount(S3Call.DeleteBatch) == 2);
            await stop.CancelAsync();
            token.ThrowIfCancellationRequested();
        };

        DeleteDirectoryOptions options = new() { Keys = ReadAsync().Select(static key => new ObjectKey { Key = key }), MaxConcurrency = 2 };
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options, cancellationToken: stop.Token).Within());

        Assert.Equal(stop.Token, e.CancellationToken);
        Assert.InRange(Interlocked.Read(ref read), 2000, 9001); // the batches in flight, those that wait, and the next one

        async IAsyncEnumerable<string> ReadAsync([EnumeratorCancellation] CancellationToken token = default)
        {
            while (true)
            {
                token.ThrowIfCancellationRequested();
                await Task.Yield();
                yield return $"p/{Interlocked.Increment(ref read)}";
            }
        }
    }

    [Fact]
    public async Task ListThatThrows_EndsTheCallWithItsException()
    {
        IOException error = new("the list is gone");
        DeleteDirectoryOptions options = new() { Keys = ThrowAsync().Select(static key => new ObjectKey { Key = key }), OnFailure = FailurePolicy.Continue };

        Assert.Same(error, await Assert.ThrowsAsync<IOException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within()));

        async IAsyncEnumerable<string> ThrowAsync()
        {
            await Task.Yield();
            yield return "p/a";
            throw error;
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1001)]
    public async Task Download_SendsNeitherListingsNorHeads(int count)
    {
        string[] keys = PutMany(count);
        S3.Put("p/not in the list", 1);
        new Random(count).Shuffle(keys);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(keys)).Within();

        Assert.EachEqual((count, 3 * count, count), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified));
        Assert.EachEqual((count, 2 * count, result.Statistics.Requests), (S3.GetCount(S3Call.Get), S3.Calls.Count, S3.Calls.Count));
        Assert.Equal(0, S3.GetCount(S3Call.List) + S3.GetCount(S3Call.Head)); // the others are for checksums, which a range doesn't have
        Assert.Equal(count, Folder.Files.Count);
        Assert.All(keys, key => Assert.Equal(S3.Objects[key].Content, File.ReadAllBytes(Folder.File(key["p/".Length..]))));
    }

    [Fact]
    public async Task Download_WithoutVerification_SendsOnlyGets()
    {
        string[] keys = PutMany(3);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(keys) with { Download = new DownloadOptions { Verify = false } }).Within();

        Assert.EachEqual((3, 3), (result.Counts.Copied, result.Statistics.Requests));
        Assert.EachEqual((3, 3), (S3.GetCount(S3Call.Get), S3.Calls.Count));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Part)]
    [InlineData((5 * Part) + 1)]
    public async Task Download_UnknownSize_ComesFromTheFirstResponse(int length)
    {
        byte[] content = S3.Put("a/é +%", length);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "a", Folder.Path, Of("a/é +%")).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File("é +%")));
        Assert.EachEqual((1, length, 1), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified));
        Assert.Equal(0, S3.GetCount(S3Call.List) + S3.GetCount(S3Call.Head));
    }

    [Theory]
    [InlineData("p/a", "p/a/b")]
    [InlineData("p/a/b", "p/a")]
    public async Task Download_FileAndDirectoryOfOneName_OneFailsInAnyOrder(string first, string second)
    {
        byte[] content = S3.Put(first, 3, 1);
        S3.Put(second, 3, 2);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(first, second) with { MaxConcurrentObjects = 1 }).Within();

        Assert.EachEqual((1, second["p/".Length..]), (result.Counts.Copied, Assert.Single(result.Failures).Name));
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File(first["p/".Length..])));
    }

    [Fact]
    public async Task Download_MissingKeys_AreFailures()
    {
        S3.Put("p/a", 3);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of("p/missing", "p/a", "q/outside", "p/../up")).Within();

        Assert.EachEqual((1, 3), (result.Counts.Copied, result.Counts.Failed));
        Assert.Equal(["../up", "missing", "q/outside"], result.Failures.Select(one => one.Name).Order(StringComparer.Ordinal));
        Assert.Equal("a", Path.GetFileName(Assert.Single(Folder.Files)));
    }

    [Fact]
    public async Task Download_Progress_HasNoTotalSize()
    {
        PutMany(2);
        List<TransferProgress> reports = [];

        await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of("p/0000", "p/0001"), new RecordedProgress(reports)).Within();

        Assert.EachEqual((2, 2, 6, null), (reports[^1].ObjectsCompleted, reports[^1].TotalObjects, reports[^1].BytesTransferred, reports[^1].TotalBytes));
    }

    /// <summary>A list can be old, so what it tells is only a hint.</summary>
    [Theory]
    [InlineData(2, null)]
    [InlineData(4, null)]
    [InlineData(0, null)]
    [InlineData(3, "\"other\"")]
    [InlineData(9 * Part, "\"other\"")]
    public async Task Download_ListIsOld_CopiesWhatIsThereNow(long length, string? etag)
    {
        string key = Assert.Single(PutMany(1));

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(new ObjectKey { Key = key, Length = length, ETag = etag })).Within();

        Assert.EachEqual((1, 0, 3, 1), (result.Counts.Copied, result.Counts.Failed, result.Counts.Bytes, result.Counts.Verified));
        Assert.Equal(S3.Objects[key].Content, await File.ReadAllBytesAsync(Folder.File("0000")));
    }

    [Fact]
    public async Task List_ImpossibleSize_EndsTheCall()
    {
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(new ObjectKey { Key = "p/a", Length = -1 })).Within());
        Assert.Contains("the impossible size -1", e.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Move_ToFiles_DeletesWhatWasMoved(bool isKnown)
    {
        string[] keys = PutChecked(3);
        S3.Put("p/not in the list", 1);
        byte[][] contents = [.. keys.Select(key => S3.Objects[key].Content)];
        ObjectKey[] list = [.. keys.Select(key => isKnown ? Known(key) : new ObjectKey { Key = key }), new ObjectKey { Key = "p/missing" }];

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(list) with { DeleteSource = true }).Within();

        Assert.EachEqual((3, 1), (result.Counts.Copied, result.Counts.Failed));
        Assert.Equal("p/not in the list", Assert.Single(S3.Objects).Key);
        Assert.Equal(contents, keys.Select(key => File.ReadAllBytes(Folder.File(key["p/".Length..]))));
        Assert.EachEqual((0, 3), (S3.GetCount(S3Call.List), S3.GetCount(S3Call.Head))); // one before each deletion, because a store can ignore its condition
    }

    /// <summary>The buckets of the fake store share their objects, as two names of one bucket do. A list can be too old to tell that.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(7L)]
    public async Task Move_ToTheSameBucketUnderAnotherName_IsRefused(long? listedLength)
    {
        string key = Assert.Single(PutMany(1));
        ObjectKey[] list = [new ObjectKey { Key = key, Length = listedLength, ETag = listedLength is null ? null : "\"old\"" }];

        DirectoryResult result = await NewClient().CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InBucket(Other, "p"), Of(list) with { DeleteSource = true }).Within();

        Assert.Contains("the same object under two names", Assert.Single(result.Failures).Error!.Message, StringComparison.Ordinal);
        Assert.EachEqual((0, 0, 0), (result.Counts.Copied, S3.GetCount(S3Call.Copy), S3.GetCount(S3Call.Delete)));
        Assert.Equal(key, Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Verify_ComparesOnlyWhatIsInTheList()
    {
        string[] keys = PutMany(4);
        Folder.File("0000", S3.Objects[keys[0]].Content);
        Folder.File("0001", [9, 9, 9]);
        Folder.File("missing", [1]);
        Folder.File("not in the list", [1]);
        string[] list = [keys[2], "p/missing", keys[1], "q/outside", keys[0], "p/../up", "p//b", "p/a\0b", "p/"];

        DirectoryResult result = await NewClient().VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), new VerifyDirectoryOptions { Keys = list.ToAsyncEnumerable() }).Within();

        Assert.EachEqual((1, 1, 4, 1, 1), (result.Counts.Same, result.Counts.Different, result.Counts.OnlyAtTarget, result.Counts.OnlyAtSource, result.Counts.Failed));
        Assert.Equal(["../up", "/b", "0001", "0002", "a\0b", "missing", "q/outside"], result.Failures.Select(one => one.Name));
        Assert.Equal(0, S3.GetCount(S3Call.List));
    }

    [Fact]
    public async Task Verify_PatternsAndFolders_Select()
    {
        S3.Put("p/a.log", 1);
        S3.Put("p/d/", 0);
        S3.Put("p/e/", 0);
        Directory.CreateDirectory(Folder.File("d"));
        string[] list = ["p/a.log", "p/d/", "p/e/"];

        VerifyDirectoryOptions options = new() { Keys = list.ToAsyncEnumerable(), Exclude = ["*.log"] };
        DirectoryResult result = await NewClient().VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), options).Within();

        Assert.EachEqual((1, 1, 0), (result.Counts.Same, result.Counts.OnlyAtTarget, result.Counts.Failed));
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task OptionsThatNeedAListing_AreRejected()
    {
        TransferClient client = NewClient();
        DeleteDirectoryOptions delete = new() { Keys = AsKeys() };
        DeleteDirectoryOptions[] deletions =
        [
            delete with { MaxDelete = DeletionLimit.Count(1) }, delete with { Filter = new ObjectFilter { MinSizeBytes = 1 } },
            delete with { Filter = new ObjectFilter { ModifiedSince = DateTimeOffset.UnixEpoch } }, delete with { Filter = new ObjectFilter { StorageClasses = ["GLACIER"] } },
        ];
        foreach (DeleteDirectoryOptions options in deletions)
        {
            await Assert.ThrowsAsync<ArgumentException>(() => client.DeleteTreeAsync(FakeS3.Bucket, "p", options));
        }

        DirectoryOptions keys = Of("p/a");
        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", keys));
        await Assert.ThrowsAsync<ArgumentException>(() => client.VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), new VerifyDirectoryOptions { Keys = AsyncEnumerable.Empty<string>(), Filter = new ObjectFilter { MinSizeBytes = 1 } }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InBucket(Other, "p"), keys with { Filter = new ObjectFilter { MaxSizeBytes = 1 } }));
        Assert.Empty(S3.Calls);
    }

    private static IAsyncEnumerable<ObjectKey> AsKeys(params string[] keys) => keys.Select(static key => new ObjectKey { Key = key }).ToAsyncEnumerable();

    private static DirectoryOptions Of(params string[] keys) => Of([.. keys.Select(key => new ObjectKey { Key = key })]);

    private static DirectoryOptions Of(params ObjectKey[] keys) => new() { Keys = keys.ToAsyncEnumerable(), OnFailure = FailurePolicy.Continue };

    private ObjectKey Known(string key) => new() { Key = key, Length = S3.Objects[key].Content.Length, ETag = S3.Objects[key].ETag };

    private string[] PutMany(int count)
    {
        string[] keys = [.. Enumerable.Range(0, count).Select(i => $"p/{i:0000}")];
        for (int i = 0; i < count; i++)
        {
            S3.Put(keys[i], 3, i);
        }

        return keys;
    }

    /// <summary>Stores objects whose checksums come with their content.</summary>
    private string[] PutChecked(int count)
    {
        string[] keys = PutMany(count);
        foreach (string key in keys)
        {
            byte[] content = S3.Objects[key].Content;
            S3.Objects[key] = FakeObject.Checked(content) with { Crc64NvmeInGet = Integrity.CrcOf.Crc64Nvme(content) };
        }

        return keys;
    }
}
