using System.Runtime.CompilerServices;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Directories;

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

        DeleteDirectoryResult result = await NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { Keys = keys.ToAsyncEnumerable() }).Within();

        Assert.Equal((count, 0, 0, batches + alone), (result.Objects, result.Bytes, result.Failed, result.Requests));
        Assert.Equal("p/not in the list", Assert.Single(S3.Objects).Key);
        Assert.Equal((batches, alone, batches + alone), (S3.CountOf(S3Call.DeleteBatch), S3.CountOf(S3Call.Delete), S3.Calls.Count));
    }

    [Fact]
    public async Task Deletion_KeysThatAreMissingRepeatedOrSpecial_AreDeleted()
    {
        string[] keys = ["p/b", "p/a", "p/a", "p/missing", "p/b", "p/x\u0001y", "p/<&>\"'", "p/é😀", "p/+%2F ", "p/"];
        Array.ForEach(keys, key => S3.Put(key, 1));
        S3.Objects.TryRemove("p/missing", out _);

        DeleteDirectoryResult result = await NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p/", new DeleteDirectoryOptions { Keys = keys.ToAsyncEnumerable() }).Within();

        Assert.Equal((9, 0), (result.Objects, result.Failed)); // p/b twice, because another key is between them
        Assert.Empty(S3.Objects);
        Assert.Equal(0, S3.CountOf(S3Call.List) + S3.CountOf(S3Call.Head));
    }

    [Fact]
    public async Task Deletion_WithPatterns_DeletesWhatBothSelect()
    {
        string[] keys = ["a.log", "d/b.log", "c.txt"];
        Array.ForEach(keys, key => S3.Put(key, 1));

        DeleteDirectoryOptions options = new() { Keys = keys.ToAsyncEnumerable(), Include = ["*.log"] };
        await NewClient().DeleteDirectoryAsync(FakeS3.Bucket, string.Empty, options).Within(); // an empty prefix needs no permission

        Assert.Equal("c.txt", Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_DryRun_SendsNothing()
    {
        string[] keys = PutMany(3);
        List<string> planned = [];

        DeleteDirectoryOptions options = new() { Keys = keys.ToAsyncEnumerable(), DryRun = true, ObjectEnded = outcome => planned.Add(outcome.Key) };
        await NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p", options).Within();

        Assert.Equal(keys, planned);
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task Deletion_KeyOutsideThePrefix_IsAFailureAndRemains()
    {
        S3.Put("p/a", 1);
        S3.Put("q/a", 1);
        string[] keys = ["q/a", "p/a"];

        DeleteDirectoryOptions options = new() { Keys = keys.ToAsyncEnumerable(), OnFailure = FailurePolicy.Continue };
        DeleteDirectoryResult result = await NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p", options).Within();

        Assert.Equal((1, 1), (result.Objects, result.Failed));
        Assert.Contains("s3://bucket/q/a is in the list of keys, but is not under 'p/'", result.Failures[0].Error!.Message.Replace(FakeS3.Bucket, "bucket", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Equal("q/a", Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task Deletion_EmptyKey_IsNeverSent()
    {
        string[] keys = [string.Empty];
        DeleteDirectoryOptions options = new() { Keys = keys.ToAsyncEnumerable(), AnyPrefix = true, OnFailure = FailurePolicy.Continue };
        await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteDirectoryAsync(FakeS3.Bucket, string.Empty, options).Within());
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
            await Deadline.Until(() => S3.CountOf(S3Call.DeleteBatch) == 2);
            await stop.CancelAsync();
            token.ThrowIfCancellationRequested();
        };

        DeleteDirectoryOptions options = new() { Keys = ReadAsync(), Concurrency = 2 };
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p", options, cancellationToken: stop.Token).Within());

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
        DeleteDirectoryOptions options = new() { Keys = ThrowAsync(), OnFailure = FailurePolicy.Continue };

        Assert.Same(error, await Assert.ThrowsAsync<IOException>(() => NewClient().DeleteDirectoryAsync(FakeS3.Bucket, "p", options).Within()));

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

        Assert.Equal((count, 3 * count, count), (result.Objects, result.Bytes, result.Verified));
        Assert.Equal((count, 2 * count, result.Requests), (S3.CountOf(S3Call.Get), S3.Calls.Count, S3.Calls.Count));
        Assert.Equal(0, S3.CountOf(S3Call.List) + S3.CountOf(S3Call.Head)); // the others are for checksums, which a range doesn't have
        Assert.Equal(count, Folder.Files.Count);
        Assert.All(keys, key => Assert.Equal(S3.Objects[key].Content, File.ReadAllBytes(Folder.File(key["p/".Length..]))));
    }

    [Fact]
    public async Task Download_WithoutVerification_SendsOnlyGets()
    {
        string[] keys = PutMany(3);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(keys) with { Download = new DownloadOptions { Verify = false } }).Within();

        Assert.Equal((3, 3), (result.Objects, result.Requests));
        Assert.Equal((3, 3), (S3.CountOf(S3Call.Get), S3.Calls.Count));
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
        Assert.Equal((1, length, 1), (result.Objects, result.Bytes, result.Verified));
        Assert.Equal(0, S3.CountOf(S3Call.List) + S3.CountOf(S3Call.Head));
    }

    [Theory]
    [InlineData("p/a", "p/a/b")]
    [InlineData("p/a/b", "p/a")]
    public async Task Download_FileAndDirectoryOfOneName_OneFailsInAnyOrder(string first, string second)
    {
        byte[] content = S3.Put(first, 3, 1);
        S3.Put(second, 3, 2);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of(first, second) with { Concurrency = 1 }).Within();

        Assert.Equal((1, second), (result.Objects, Assert.Single(result.Failures).Key));
        Assert.Equal(content, await File.ReadAllBytesAsync(Folder.File(first["p/".Length..])));
    }

    [Fact]
    public async Task Download_MissingKeys_AreFailures()
    {
        S3.Put("p/a", 3);

        DirectoryResult result = await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of("p/missing", "p/a", "q/outside", "p/../up")).Within();

        Assert.Equal((1, 3), (result.Objects, result.Failed));
        Assert.Equal(["p/../up", "p/missing", "q/outside"], result.Failures.Select(one => one.Key).Order(StringComparer.Ordinal));
        Assert.Equal("a", Path.GetFileName(Assert.Single(Folder.Files)));
    }

    [Fact]
    public async Task Download_Progress_HasNoTotalSize()
    {
        PutMany(2);
        List<TransferProgress> reports = [];

        await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, Of("p/0000", "p/0001"), new Reports(reports)).Within();

        Assert.Equal((2, 2, 6, null), (reports[^1].ObjectsCompleted, reports[^1].TotalObjects, reports[^1].BytesTransferred, reports[^1].TotalBytes));
    }

    [Fact]
    public async Task Copy_InsideTheStore_ListsNothing()
    {
        string[] keys = PutMany(3);
        S3.Put("p/not in the list", 1);

        DirectoryResult result = await NewClient().CopyDirectoryAsync(FakeS3.Bucket, "p", Other, "q", Of([.. keys.Reverse()])).Within();

        Assert.Equal((3, 9, 0), (result.Objects, result.Bytes, result.Failed));
        Assert.All(keys, key => Assert.Equal(S3.Objects[key].Content, S3.Published("q/" + key["p/".Length..])));
        Assert.Equal((0, 3, 3), (S3.CountOf(S3Call.List), S3.CountOf(S3Call.Head), S3.CountOf(S3Call.Copy))); // a copy is bound to what HEAD returned
    }

    [Fact]
    public async Task Copy_ToAnotherStore_SendsOnlyGetsAndPuts()
    {
        string[] keys = PutMany(3);
        FakeS3 target = new();

        DirectoryResult result = await NewClient().CopyDirectoryAsync(FakeS3.Bucket, "p", NewClient(target.Client), FakeS3.Bucket, "q", Of(keys)).Within();

        Assert.Equal((3, 9, 0), (result.Objects, result.Bytes, result.Failed));
        Assert.All(keys, key => Assert.Equal(S3.Objects[key].Content, target.Published("q/" + key["p/".Length..])));
        Assert.Equal((0, 0, 3), (S3.CountOf(S3Call.List), S3.CountOf(S3Call.Head), S3.CountOf(S3Call.Get)));
        Assert.Equal(0, target.CountOf(S3Call.List) + target.CountOf(S3Call.Head));
    }

    [Fact]
    public async Task OptionsThatNeedAListing_AreRejected()
    {
        TransferClient client = NewClient();
        DeleteDirectoryOptions delete = new() { Keys = AsyncEnumerable.Empty<string>() };
        DeleteDirectoryOptions[] deletions =
        [
            delete with { MaxDelete = DeletionLimit.Count(1) }, delete with { OnlyIfUnchanged = true }, delete with { Filter = new ObjectFilter { MinSizeBytes = 1 } },
            delete with { Filter = new ObjectFilter { ModifiedSince = DateTimeOffset.UnixEpoch } }, delete with { Filter = new ObjectFilter { StorageClasses = ["GLACIER"] } },
        ];
        foreach (DeleteDirectoryOptions options in deletions)
        {
            await Assert.ThrowsAsync<ArgumentException>(() => client.DeleteDirectoryAsync(FakeS3.Bucket, "p", options));
        }

        DirectoryOptions keys = Of();
        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "p", keys));
        await Assert.ThrowsAsync<ArgumentException>(() => client.DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, keys with { DeleteSource = true }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.CopyDirectoryAsync(FakeS3.Bucket, "p", Other, "p", keys with { Filter = new ObjectFilter { MaxSizeBytes = 1 } }));
        Assert.Empty(S3.Calls);
    }

    private static DirectoryOptions Of(params string[] keys) => new() { Keys = keys.ToAsyncEnumerable(), OnFailure = FailurePolicy.Continue };

    private string[] PutMany(int count)
    {
        string[] keys = [.. Enumerable.Range(0, count).Select(i => $"p/{i:0000}")];
        for (int i = 0; i < count; i++)
        {
            S3.Put(keys[i], 3, i);
        }

        return keys;
    }

    private sealed class Reports(List<TransferProgress> reports) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => reports.Add(value);
    }
}
