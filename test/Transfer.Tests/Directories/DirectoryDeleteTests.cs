using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Deletions of all objects under a prefix.</summary>
public sealed class DirectoryDeleteTests : TransferTest
{
    private static readonly DeleteDirectoryOptions GoOn = new() { OnFailure = FailurePolicy.Continue };

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0, 1)] // a batch of one is a plain deletion
    [InlineData(2, 1, 0)]
    [InlineData(1000, 1, 0)]
    [InlineData(1001, 1, 1)]
    [InlineData(2002, 3, 0)]
    public async Task Objects_AreDeletedInBatches(int count, int batches, int alone)
    {
        PutMany(count);
        S3.Put("other/k", 1);

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p").Within();

        Assert.EachEqual((count, 3L * count, 0), (result.Counts.Deleted, result.Counts.DeletedBytes, result.Counts.Failed));
        Assert.Equal("other/k", Assert.Single(S3.Objects).Key);
        Assert.EachEqual((batches, alone), (S3.GetCount(S3Call.DeleteBatch), S3.GetCount(S3Call.Delete)));
        Assert.All(S3.Batches, batch => Assert.InRange(batch.Objects.Count, 2, 1000));
        Assert.Equal(S3.Calls.Count, result.Statistics.Requests);
    }

    [Fact]
    public async Task Prefix_IsAWholeFolderName_UnlessAnyPrefixIsSet()
    {
        string[] keys = ["a/logs", "a/logs/", "a/logs/x", "a/logs-2025/y", "a/log"];
        Array.ForEach(keys, key => S3.Put(key, 1));

        await NewClient().DeleteTreeAsync(FakeS3.Bucket, "a/logs").Within();
        Assert.Equal(["a/log", "a/logs", "a/logs-2025/y"], S3.Objects.Keys.Order());

        await NewClient().DeleteTreeAsync(FakeS3.Bucket, "a/logs", new DeleteDirectoryOptions { AnyPrefix = true, Exclude = ["logs"] }).Within();
        Assert.Equal(["a/log", "a/logs"], S3.Objects.Keys.Order()); // patterns are relative to the folder
    }

    /// <summary>Keys that aren't paths are protected as others are, also by a pattern for everything in a folder.</summary>
    [Theory]
    [InlineData("*.keep", "p/../b.keep p//a.keep p/c.keep p/d//e.keep p/logs.keep/x")]
    [InlineData("logs/*", "p/logs/ p/logs/1 p/logs/2026//x p/logs/2026/y")]
    [InlineData("..", "p/../b.keep")]
    public async Task Excluded_StayWhateverTheirKeysLookLike(string pattern, string kept)
    {
        string[] keys = ["p//a.keep", "p/../b.keep", "p/c.keep", "p/d//e.keep", "p/logs.keep/x", "p/logs/", "p/logs/1", "p/logs/2026//x", "p/logs/2026/y", "p/z", "q"];
        Array.ForEach(keys, key => S3.Put(key, 1));

        await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { Exclude = [pattern] }).Within();

        Assert.Equal([.. kept.Split(' '), "q"], S3.Objects.Keys.Order(StringComparer.Ordinal));
    }

    /// <summary>The versions of one key are on several pages, and in several batches.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    public async Task Versions_AreDeletedWithTheirMarkers_AndNoObjectIsHidden(int pageSize)
    {
        S3.PageSize = pageSize;
        S3.Put("p/a", 3);
        PutVersions();
        List<Outcome> ended = [];

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { Versions = true, ObjectEnded = ended.Add }).Within();

        Assert.EachEqual((5, 9L, 0), (result.Counts.Deleted, result.Counts.DeletedBytes, result.Counts.Failed));
        Assert.Equal("other/k", Assert.Single(S3.Versions).Key);
        Assert.Equal("p/a", Assert.Single(S3.Objects).Key); // a deletion without a version would have removed it
        Assert.Equal(["a 1", "a 2", "a 3", "b null", "c 1"], ended.Select(outcome => $"{outcome.Name} {outcome.VersionId}").Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Versions_DryRunLimitsAndFilters_CountThem()
    {
        PutVersions();
        TransferClient client = NewClient();
        DeleteDirectoryOptions versions = new() { Versions = true };

        Assert.Equal(5, (await client.DeleteTreeAsync(FakeS3.Bucket, "p", versions with { DryRun = true }).Within()).Counts.Deleted);
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => client.DeleteTreeAsync(FakeS3.Bucket, "p", versions with { MaxDelete = DeletionLimit.Count(4) }).Within());
        Assert.Contains("5 of 5 objects would be deleted", error.Message, StringComparison.Ordinal);
        Assert.Equal(6, S3.Versions.Count);

        Assert.Equal(3, (await client.DeleteTreeAsync(FakeS3.Bucket, "p", versions with { Include = ["a"] }).Within()).Counts.Deleted);
        Assert.Equal(["other/k", "p/b", "p/c"], S3.Versions.Select(version => version.Key).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Versions_RefusedOrFailed_AreFailuresOfTheirVersions()
    {
        PutVersions();
        S3.RefuseDeletion = (_, item) => item is { Key: "p/a", VersionId: "2" } ? "AccessDenied" : null;
        List<Outcome> ended = [];

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { Versions = true, ObjectEnded = ended.Add }).Within();

        Assert.EachEqual((4, 1), (result.Counts.Deleted, result.Counts.Failed));
        Assert.EachEqual(("a", "2"), (Assert.Single(ended, outcome => outcome.Error is not null).Name, ended.Single(outcome => outcome.Error is not null).VersionId));
        Assert.Equal(2, S3.Versions.Count);
    }

    [Fact]
    public async Task Versions_WithKeysOrConditions_AreRejected()
    {
        DeleteDirectoryOptions versions = new() { Versions = true };
        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", versions with { OnlyIfUnchanged = true }));
        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", versions with { Keys = AsyncEnumerable.Empty<ObjectKey>() }));
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task EmptyPrefix_IsRejected_UnlessTheWholeBucketIsMeant()
    {
        S3.Put("a", 1);
        S3.Put("b/c", 1);

        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, string.Empty));
        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, string.Empty, new DeleteDirectoryOptions { AnyPrefix = true }));
        Assert.Empty(S3.Calls);

        Assert.Equal(2, (await NewClient().DeleteTreeAsync(FakeS3.Bucket, string.Empty, new DeleteDirectoryOptions { WholeBucket = true }).Within()).Counts.Deleted);
        Assert.Empty(S3.Objects);
    }

    [Theory]
    [InlineData("x\u0001y")]
    [InlineData("x\ry")]
    [InlineData("x\ny")]
    [InlineData("x\u0085y")]
    [InlineData("x\uFFFEy")]
    [InlineData("x ")]
    public async Task KeysThatXmlMayChange_AreDeletedAlone(string name)
    {
        string[] names = [name, "<&>\"'", "é😀", "a b", "+%2F"];
        Array.ForEach(names, one => S3.Put("p/" + one, 1));

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p/").Within();

        Assert.Equal(5, result.Counts.Deleted);
        Assert.Empty(S3.Objects);
        Assert.Equal("p/" + name, Assert.Single(S3.Calls, call => call.Operation == S3Call.Delete).Key);
        Assert.Equal(4, Assert.Single(S3.Batches).Objects.Count);
    }

    [Fact]
    public async Task FilteredObjects_Remain()
    {
        string[] names = ["a.log", "d/b.log", "d/c.txt", string.Empty];
        Array.ForEach(names, name => S3.Put("p/" + name, 1));

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { Include = ["*.log"], Exclude = ["d/"] }).Within();

        Assert.Equal(1, result.Counts.Deleted);
        Assert.Equal(["p/", "p/d/b.log", "p/d/c.txt"], S3.Objects.Keys.Order());
    }

    [Fact]
    public async Task TemporaryRefusals_AreSentAgainWithoutTheOthers()
    {
        PutMany(1000);
        int calls = 0;
        S3.RefuseDeletion = (call, item) => (call.Number, item.Key[^1]) switch
        {
            (_, '7') when Volatile.Read(ref calls) == 0 => "SlowDown",
            (_, '3') when Volatile.Read(ref calls) <= 1 => "InternalError",
            _ => null,
        };
        S3.AfterDeletion = _ => Interlocked.Increment(ref calls);

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p").Within();

        Assert.EachEqual((1000, 2), (result.Counts.Deleted, result.Statistics.Retries));
        Assert.Equal([1000, 200, 100], S3.Batches.Select(batch => batch.Objects.Count));
        Assert.Empty(S3.Objects);
    }

    [Fact]
    public async Task PermanentRefusals_AreFailuresOfTheirObjects()
    {
        PutMany(10);
        S3.RefuseDeletion = (_, item) => item.Key == "p/0003" ? "AccessDenied" : null;
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { ObjectEnded = told.Add }).Within();

        Assert.EachEqual((9, 1, 0), (result.Counts.Deleted, result.Counts.Failed, result.Statistics.Retries));
        TransferException error = Assert.IsType<TransferException>(Assert.Single(result.Failures).Error);
        Assert.EachEqual(("0003", "AccessDenied", "p/0003"), (result.Failures[0].Name, error.ErrorCode, error.Key));
        Assert.Equal(9, told.Count(one => one.Status == OutcomeStatus.Done));
        Assert.Equal("p/0003", Assert.Single(S3.Objects).Key);
    }

    [Fact]
    public async Task PermanentRefusal_WithAbort_IsThrownAfterTheOthersAreReported()
    {
        PutMany(10);
        S3.RefuseDeletion = (_, item) => item.Key == "p/0003" ? "AccessDenied" : null;
        List<Outcome> told = [];

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { ObjectEnded = told.Add }).Within());

        Assert.Equal("AccessDenied", e.ErrorCode);
        Assert.Equal(10, told.Count);
    }

    [Fact]
    public async Task RefusalsThatStayTemporary_AreFailuresAfterAllAttempts()
    {
        PutMany(4);
        S3.RefuseDeletion = (_, item) => item.Key == "p/0002" ? "InternalError" : null;

        DirectoryResult result = await NewClient(options => options.MaxAttempts = 3).DeleteTreeAsync(FakeS3.Bucket, "p", GoOn).Within();

        Assert.EachEqual((3, 1, 2), (result.Counts.Deleted, result.Counts.Failed, result.Statistics.Retries));
        TransferException error = Assert.IsType<TransferException>(result.Failures[0].Error);
        Assert.EachEqual(("InternalError", 3), (error.ErrorCode, error.Attempts));
        Assert.Equal([4, 1, 1], S3.Batches.Select(batch => batch.Objects.Count));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task LostResponse_IsNoFailure(bool isConditional)
    {
        PutMany(5);
        int calls = 0;
        S3.AfterDeletion = _ =>
        {
            if (Interlocked.Increment(ref calls) == 1)
            {
                throw new IOException("the connection was reset");
            }
        };

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { OnlyIfUnchanged = isConditional }).Within();

        Assert.EachEqual((5, 0, 1), (result.Counts.Deleted, result.Counts.Failed, result.Statistics.Retries));
        Assert.Empty(S3.Objects);
    }

    [Fact]
    public async Task Condition_ReplacedObjectRemains_AndADeletedOneIsNoFailure()
    {
        PutMany(5);
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.DeleteBatch)
            {
                S3.Objects["p/0001"] = new FakeObject(new byte[3], "\"new\"");
                S3.Objects.TryRemove("p/0002", out FakeObject? _);
            }

            return Task.CompletedTask;
        };

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { OnlyIfUnchanged = true }).Within();

        Assert.EachEqual((4, 1), (result.Counts.Deleted, result.Counts.Failed));
        Assert.IsError(TransferError.PreconditionFailed, result.Failures[0].Error);
        Assert.Equal("p/0001", Assert.Single(S3.Objects).Key);
        Assert.All(S3.Batches.SelectMany(batch => batch.Objects), item => Assert.NotNull(item.ETag));
    }

    [Fact]
    public async Task Condition_StoreThatSaysFailedForAMissingObject_IsAskedAgain()
    {
        PutMany(3);
        S3.RefuseDeletion = (_, item) =>
        {
            S3.Objects.TryRemove("p/0001", out FakeObject? _);
            return item.Key == "p/0001" ? "PreconditionFailed" : null;
        };

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { OnlyIfUnchanged = true }).Within();

        Assert.EachEqual((3, 0, 4), (result.Counts.Deleted, result.Counts.Failed, S3.GetCount(S3Call.Head))); // three before the request, and one after it
    }

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(HttpStatusCode.MethodNotAllowed, "MethodNotAllowed")]
    public async Task StoreWithoutBatches_EachObjectIsDeletedAlone(HttpStatusCode status, string code)
    {
        PutMany(1500);
        S3.Before = (call, _) => call.Operation == S3Call.DeleteBatch ? throw FakeS3.Error(status, code) : Task.CompletedTask;

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { MaxConcurrency = 1 }).Within();

        Assert.EachEqual((1500, 1500, 1), (result.Counts.Deleted, S3.GetCount(S3Call.Delete), S3.GetCount(S3Call.DeleteBatch)));
        Assert.Empty(S3.Objects);
    }

    [Fact]
    public async Task RefusalOfAnotherKey_IsNotBelieved()
    {
        PutMany(3);
        bool isFirst = true;
        S3.AfterDeletion = call =>
        {
            if (isFirst && call.Operation == S3Call.DeleteBatch)
            {
                isFirst = false;
                throw new Amazon.S3.DeleteObjectsException(new DeleteObjectsResponse { DeleteErrors = [new DeleteError { Key = "q", Code = "AccessDenied" }] });
            }
        };

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn).Within();

        Assert.EachEqual((3, 0, 2), (result.Counts.Deleted, result.Counts.Failed, S3.GetCount(S3Call.DeleteBatch)));
    }

    [Fact]
    public async Task Listing_Failed_IsThrown()
    {
        PutMany(10);
        S3.PageSize = 4;
        int pages = 0;
        S3.Before = (call, _) => call.Operation == S3Call.List && Interlocked.Increment(ref pages) > 1 ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn).Within());

        Assert.Contains("the listing failed", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task KeyOutsideThePrefix_IsNeverDeleted()
    {
        PutMany(2);
        S3.Put("q", 1);
        S3.Page = page => page.S3Objects.Add(new S3Object { Key = "q", Size = 1 });

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn).Within();

        Assert.EachEqual((2, 1), (result.Counts.Deleted, result.Counts.Failed));
        Assert.Equal("q", Assert.Single(S3.Objects).Key);
    }

    [Theory]
    [InlineData(7L, null)]
    [InlineData(0L, null)]
    [InlineData(null, 39.9)]
    [InlineData(null, 0.0)]
    public async Task Limit_Exceeded_DeletesNothing(long? objects, double? percent)
    {
        PutMany(20);
        DeleteDirectoryOptions options = GoOn with { Include = ["*[0]", "*2", "*4", "*6", "*8"], MaxDelete = objects is { } count ? DeletionLimit.Count(count) : DeletionLimit.Percent(percent!.Value) };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within());

        Assert.Equal(TransferError.DeletionLimit, e.Error);
        Assert.Contains("8", e.Message, StringComparison.Ordinal);
        Assert.All(S3.Calls, call => Assert.Equal(S3Call.List, call.Operation));
        Assert.Equal(20, S3.Objects.Count);
    }

    [Theory]
    [InlineData(8L, null)]
    [InlineData(null, 40.0)]
    public async Task Limit_Kept_Deletes(long? objects, double? percent)
    {
        PutMany(20);
        DeleteDirectoryOptions options = GoOn with { Include = ["*2", "*4", "*6", "*8"], MaxDelete = objects is { } count ? DeletionLimit.Count(count) : DeletionLimit.Percent(percent!.Value) };

        Assert.Equal(8, (await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within()).Counts.Deleted);
        Assert.Equal(12, S3.Objects.Count);
    }

    [Fact]
    public async Task Limit_ObjectsAddedAfterTheCount_StopTheDeletion()
    {
        PutMany(5);
        int lists = 0;
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.List && Interlocked.Increment(ref lists) == 2)
            {
                S3.Put("p/added", 1);
            }

            return Task.CompletedTask;
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", GoOn with { MaxDelete = DeletionLimit.Count(5) }).Within());

        Assert.Equal(TransferError.DeletionLimit, e.Error);
        Assert.Contains("p/added", S3.Objects.Keys);
    }

    [Fact]
    public async Task DryRun_DeletesNothing()
    {
        PutMany(3);
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", new DeleteDirectoryOptions { DryRun = true, ObjectEnded = told.Add }).Within();

        Assert.EachEqual((3, 9), (result.Counts.Deleted, result.Counts.DeletedBytes));
        Assert.All(told, one => Assert.Equal(OutcomeStatus.Planned, one.Status));
        Assert.Equal(["List"], S3.Calls.Select(call => call.Operation));
    }

    [Fact]
    public async Task Cancellation_EndsTheCall()
    {
        PutMany(3000);
        using CancellationTokenSource stop = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.DeleteBatch)
            {
                await stop.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", cancellationToken: stop.Token).Within());

        Assert.Equal(stop.Token, e.CancellationToken);
    }

    [Fact]
    public async Task Progress_CountsObjects()
    {
        PutMany(5);
        List<TransferProgress> reports = [];

        await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", progress: new RecordedProgress(reports)).Within();

        Assert.EachEqual((5, 5, 0), (reports[^1].ObjectsCompleted, reports[^1].TotalObjects, reports[^1].BytesTransferred));
    }

    /// <summary>A folder of five pages in which nothing is selected costs one page and what was requested ahead.</summary>
    [Theory]
    [InlineData(false, "b/", 9)]
    [InlineData(false, "b/*", 9)]
    [InlineData(true, "b/", 20)]
    public async Task ExcludedFolder_IsNotListed(bool ignoresStart, string excluded, int most)
    {
        foreach (string folder in (string[])["a", "b", "c"])
        {
            for (int i = 0; i < 50; i++)
            {
                S3.Put($"p/{folder}/x/{i:00}", 1);
            }
        }

        (S3.PageSize, S3.IgnoresStartAfter) = (25, ignoresStart);
        for (int i = 0; i < 100; i++)
        {
            S3.Put($"p/b/y/{i:00}", 1);
        }

        DeleteDirectoryOptions options = excluded == "b/" ? new() { DryRun = true, Exclude = ["b/"] } : new() { DryRun = true, Include = ["a/x/*", "c/"] };
        DirectoryResult result = await NewClient().DeleteTreeAsync(FakeS3.Bucket, "p", options).Within();

        Assert.Equal(100, result.Counts.Deleted);
        Assert.InRange(S3.GetCount(S3Call.List), 4, most);
    }

    private void PutMany(int count)
    {
        for (int i = 0; i < count; i++)
        {
            S3.Put($"p/{i:0000}", 3, i);
        }
    }

    private void PutVersions()
    {
        (string Key, string Id, long Size, bool IsMarker)[] all =
            [("other/k", "1", 3, false), ("p/a", "3", 0, true), ("p/a", "2", 3, false), ("p/a", "1", 3, false), ("p/b", "null", 3, false), ("p/c", "1", 0, true)];
        foreach ((string key, string id, long size, bool isMarker) in all)
        {
            S3.Versions.Add(new S3ObjectVersion { Key = key, VersionId = id, Size = size, IsDeleteMarker = isMarker });
        }
    }
}
