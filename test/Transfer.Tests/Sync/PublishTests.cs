using System.Globalization;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>Synchronizations that publish everything at once: readers see the old tree, a short window, and the new tree.</summary>
public sealed class PublishTests : TransferTest
{
    private static readonly string[] Names = ["a", "b", "big", "c.html", "d/a", "d/e/x", "é", "f/", "index.html"];
    private static readonly string[] Contents = ["", "1", "2", "33"];
    private static readonly string[] LargeContents = [new('x', 150_000), new('y', 150_000)];

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Inside, SyncDirection.Between];

    private static SyncOptions AllAtOnce => new() { Publish = PublishMode.AllAtOnce, Delete = true, MaxDelete = DeletionLimit.Percent(100), AllowEmptySource = true };

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task AllObjects_AreUploadedBeforeTheFirstIsPublished(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["new"] = "1", ["changed"] = "22", ["empty"] = "", ["same"] = "s", ["d/big"] = LargeContents[0] }, new() { ["changed"] = "4", ["same"] = "s", ["gone"] = "g" });
        string before = Show(pair.GetTarget());
        bool isCompleting = false;
        pair.Intervene(call =>
        {
            isCompleting |= call.Operation == S3Call.Complete;
            Assert.False(isCompleting && call.Operation is (S3Call.Create or S3Call.UploadPart or S3Call.CopyPart), $"{call.Operation} came after the first completion");
            Assert.True(isCompleting || Show(pair.GetTarget()) == before, $"before {call}: {Show(pair.GetTarget())}");
        });

        DirectoryResult result = await pair.RunAsync(AllAtOnce);

        Assert.EachEqual((3, 1, 1, 1, true), (result.Counts.Copied, result.Counts.Replaced, result.Counts.Same, result.Counts.Deleted, result.Counts.IsComplete));
        Assert.Equal(Show(pair.GetSource()), Show(pair.GetTarget()));
        Assert.NotNull(result.PublishWindow);
        Assert.EachEqual((4, 0, false), (pair.Target.GetCount(S3Call.Complete), pair.Target.GetCount(S3Call.Put) + pair.Target.GetCount(S3Call.Copy), pair.Target.HasOpenUpload));
        AssertNoJournal();
    }

    [Fact]
    public async Task Progress_CountsObjectsAsCompletedWhenTheyArePublished()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, []);
        List<TransferProgress> reports = [];
        bool isRefused = true;
        pair.Intervene(call =>
        {
            if (isRefused && call is { Operation: S3Call.UploadPart, Key: "t/b" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied");
            }
        });

        await pair.RunAsync(AllAtOnce with { OnFailure = FailurePolicy.Continue }, new RecordedProgress(reports), CancellationToken.None);

        Assert.EachEqual((1, 2), (reports[^1].ObjectsCompleted, reports[^1].ObjectsUnpublished));
        isRefused = false;
        await pair.RunAsync(AllAtOnce, new RecordedProgress(reports), CancellationToken.None);

        Assert.EachEqual((3, 0), (reports[^1].ObjectsCompleted, reports[^1].ObjectsUnpublished));
    }

    [Fact]
    public async Task NothingToDo_PublishesNothing()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, new() { ["a"] = "1" });

        DirectoryResult result = await pair.RunAsync(AllAtOnce);

        Assert.EachEqual((1, (TimeSpan?)null, 0), (result.Counts.Same, result.PublishWindow, pair.Target.GetCount(S3Call.Create)));
        AssertNoJournal();
    }

    [Fact]
    public async Task EntryFiles_ArePublishedLast()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.html"] = "1", ["b.js"] = "2", ["c"] = "3", ["d/index.html"] = "4", ["e.css"] = "5" }, []);

        await pair.RunAsync(AllAtOnce);

        string[] order = [.. pair.Target.Calls.Where(call => call.Operation == S3Call.Complete).Select(call => call.Key)];
        Assert.Equal(["t/b.js", "t/c", "t/e.css"], order[..3].Order(StringComparer.Ordinal));
        Assert.Equal(["t/a.html", "t/d/index.html"], order[3..].Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task StoreIsBusy_EntryFilesWaitForTheNextRun()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.js"] = "1", ["b.css"] = "2", ["c.html"] = "3" }, []);
        bool isBusy = true;
        pair.Intervene(call =>
        {
            if (isBusy && call is { Operation: S3Call.Complete, Key: "t/a.js" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown");
            }
        });

        TransferException left = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));

        Assert.StartsWith("2 of 3 objects were not published: ", left.Message, StringComparison.Ordinal);
        Assert.Equal("b.css=2", Show(pair.GetTarget())); // the page isn't there, because it can name the script
        isBusy = false;
        await pair.RunAsync(AllAtOnce);

        Assert.Equal("a.js=1 b.css=2 c.html=3", Show(pair.GetTarget()));
        Assert.Equal("t/c.html", pair.Target.Calls.Last(call => call.Operation == S3Call.Complete).Key);
        AssertNoJournal();
    }

    [Fact]
    public async Task UploadIsGone_EntryFilesAreNotPublished_AndTheNextRunPublishesBoth()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.js"] = "1", ["b.css"] = "2", ["c.html"] = "3", ["d.html"] = "4" }, []);
        bool isGone = true;
        pair.Intervene(call =>
        {
            if (isGone && call is { Operation: S3Call.Complete, Key: "t/a.js" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.NotFound, "NoSuchUpload"); // by a lifecycle rule
            }
        });

        DirectoryResult result = await pair.RunAsync(AllAtOnce with { OnFailure = FailurePolicy.Continue });

        Assert.EachEqual((1, 3, false), (result.Counts.Copied, result.Counts.Failed, result.Counts.IsComplete));
        Assert.All(result.Failures.Where(static one => one.Name.EndsWith(".html", StringComparison.Ordinal)), static one => Assert.Contains("comes after everything else", one.Error!.Message, StringComparison.Ordinal));
        Assert.Equal("b.css=2", Show(pair.GetTarget()));
        isGone = false;
        Assert.EachEqual((3, 1), (await pair.RunAsync(AllAtOnce)) is { Counts: var next } ? (next.Copied, next.Same) : default);

        Assert.Equal("a.js=1 b.css=2 c.html=3 d.html=4", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task UploadThatWasLeftIsGone_TheNextRunUploadsItAndItsEntryFilesAgain()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.js"] = "1", ["b.css"] = "2", ["c.html"] = "3" }, []);
        int attempts = 0;
        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.Complete, Key: "t/a.js" } && Interlocked.Increment(ref attempts) is var attempt and <= 2)
            {
                throw attempt == 1 ? FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown") : FakeS3.Error(System.Net.HttpStatusCode.NotFound, "NoSuchUpload");
            }
        });
        await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));
        Assert.Equal("b.css=2", Show(pair.GetTarget()));

        DirectoryResult result = await pair.RunAsync(AllAtOnce);

        Assert.EachEqual((true, 2, 3), (result.Counts.IsComplete, result.Counts.Copied, attempts));
        Assert.Equal("a.js=1 b.css=2 c.html=3", Show(pair.GetTarget()));
        Assert.Equal("t/c.html", pair.Target.Calls.Last(call => call.Operation == S3Call.Complete).Key);
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task OneFailedAndAnotherIsLeft_TheNextRunPublishesEntryFilesOnlyAfterBoth()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.js"] = "1", ["b.css"] = "2", ["c.html"] = "3" }, []);
        bool isFirst = true;
        pair.Intervene(call =>
        {
            if (isFirst && call is { Operation: S3Call.Complete, Key: "t/a.js" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.NotFound, "NoSuchUpload");
            }

            if (isFirst && call is { Operation: S3Call.Complete, Key: "t/b.css" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown");
            }

            Assert.True(call is not { Operation: S3Call.Complete, Key: "t/c.html" } || Show(pair.GetTarget()) == "a.js=1 b.css=2", $"published too early: {Show(pair.GetTarget())}");
        });
        await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce with { OnFailure = FailurePolicy.Continue }));
        Assert.Empty(pair.GetTarget());
        isFirst = false;
        await pair.RestartAsync();

        Assert.True((await pair.RunAsync(AllAtOnce)).Counts.IsComplete);

        Assert.Equal("a.js=1 b.css=2 c.html=3", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task GivenPattern_IsPublishedLast()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a.html"] = "1", ["InRelease"] = "2", ["pool/x.deb"] = "3" }, []);

        await pair.RunAsync(AllAtOnce with { PublishLast = ["InRelease"] });

        Assert.Equal("t/InRelease", pair.Target.Calls.Last(call => call.Operation == S3Call.Complete).Key);
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task OneFails_NothingIsPublishedOrDeleted(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, new() { ["a"] = "old", ["gone"] = "g" });
        string before = Show(pair.GetTarget());
        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.UploadPart or S3Call.CopyPart, Key: "t/b" or "s/b" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.Forbidden, "AccessDenied");
            }
        });

        DirectoryResult result = await pair.RunAsync(AllAtOnce with { OnFailure = FailurePolicy.Continue });

        Assert.EachEqual((1, 2, 1, 0, 0, false), (result.Counts.Failed, result.Counts.Unpublished, result.Counts.Withheld, result.Counts.Copied, result.Counts.Replaced, result.Counts.IsComplete));
        Assert.Equal(before, Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();

        TransferException first = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));

        Assert.Equal("t/b", first.Key);
        Assert.Equal(before, Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Theory]
    [InlineData(S3Call.Create)]
    [InlineData(S3Call.UploadPart)]
    [InlineData(S3Call.Head)]
    public async Task CanceledBefore_TheTargetIsAsItWas(string at)
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2" }, new() { ["a"] = "old", ["gone"] = "g" });
        string before = Show(pair.GetTarget());
        using CancellationTokenSource stop = new();
        pair.Intervene(call =>
        {
            if (call.Operation == at) // the last look before everything is published is a HEAD request of each
            {
                stop.Cancel();
            }
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pair.RunAsync(AllAtOnce, stop.Token));

        Assert.Equal(before, Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task CanceledAfterTheFirst_GoesForward_AndTheNextRunDeletes()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, new() { ["a"] = "old", ["gone"] = "g" });
        using CancellationTokenSource stop = new();
        pair.Intervene(call =>
        {
            if (call.Operation == S3Call.Complete)
            {
                stop.Cancel();
            }
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pair.RunAsync(AllAtOnce, stop.Token));

        Assert.Equal("a=1 b=2 c=3 gone=g", Show(pair.GetTarget()));
        pair.Intervene(_ => { });
        DirectoryResult result = await pair.RunAsync(AllAtOnce);
        Assert.EachEqual((3, 1, 0), (result.Counts.Same, result.Counts.Deleted, result.Counts.Replaced));
        Assert.Equal("a=1 b=2 c=3", Show(pair.GetTarget()));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task TargetIsChangedMeanwhile_NothingIsPublished(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, new() { ["a"] = "old" });
        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.Create, Key: "t/a" })
            {
                pair.Target.Put("t/a", "by somebody else"u8.ToArray());
                pair.Target.Put("t/b", "by somebody else"u8.ToArray());
            }
        });

        DirectoryResult result = await pair.RunAsync(AllAtOnce with { OnFailure = FailurePolicy.Continue });

        Assert.EachEqual((2, 3, 0), (result.Counts.Conflicts, result.Counts.Unpublished, result.Counts.Copied));
        Assert.Equal("a=by somebody else b=by somebody else", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
    }

    [Fact]
    public async Task TooManyDeletions_NothingIsPublished()
    {
        Dictionary<string, string> target = Enumerable.Range(0, 200).ToDictionary(i => $"old{i.ToString(CultureInfo.InvariantCulture)}", _ => "x");
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, target);

        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce with { MaxDelete = DeletionLimit.Default }));

        Assert.Equal(TransferError.DeletionLimit, refused.Error);
        Assert.DoesNotContain("a", pair.GetTarget().Keys);
        Assert.False(pair.Target.HasOpenUpload);
    }

    [Fact]
    public async Task StoreIsGoneInTheMiddle_TheNextCallGoesForward_EvenIfTheSourceHasChanged()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, new() { ["a"] = "old", ["gone"] = "g" });
        int completed = 0;
        pair.Intervene(call =>
        {
            if (call.Operation == S3Call.Complete && Interlocked.Increment(ref completed) > 1)
            {
                throw new HttpRequestException("the network is gone");
            }
        });
        SyncOptions options = AllAtOnce with { MaxConcurrentObjects = 1 };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(options));

        Assert.Contains("2 of 3 objects were not published", error.Message, StringComparison.Ordinal);
        pair.Intervene(_ => { });
        await pair.RestartAsync();
        SyncTree.Write(pair.Folder, "a", "newer");
        DirectoryResult result = await pair.RunAsync(options);
        Assert.EachEqual((3, 1), (result.Counts.Copied + result.Counts.Replaced, result.Counts.Deleted));
        Assert.Equal("a=newer b=2 c=3", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task NextCallCannotLookAtAChangedTarget_LeavesItForTheOneAfter()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2", ["c"] = "3" }, []);
        bool isDown = true;
        int lookups = 0;
        pair.Intervene(call =>
        {
            if (isDown && call is { Operation: S3Call.Complete, Key: "t/b" })
            {
                throw new HttpRequestException("the network is gone");
            }
        });
        await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));
        isDown = false;
        pair.Target.Put("t/b", "2"u8.ToArray()); // as if the response was lost
        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.Head, Key: "t/b" } && Interlocked.Increment(ref lookups) == 2)
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown");
            }
        });

        await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));

        Assert.True(pair.Target.HasOpenUpload);
        DirectoryResult result = await pair.RunAsync(AllAtOnce);
        Assert.EachEqual((true, 0), (result.Counts.IsComplete, result.Counts.Failed + result.Counts.Conflicts));
        Assert.Equal("a=1 b=2 c=3", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    /// <summary>What is older than the objects of a synchronization is published before them, also if it doesn't publish all at once itself.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task NextCallPublishesEach_EndsWhatIsLeftFirst(bool isCommitted)
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2", ["stale"] = "3" }, new() { ["a"] = "old" });
        int completed = 0;
        pair.Intervene(call =>
        {
            if ((call.Operation == S3Call.Complete && Interlocked.Increment(ref completed) > 1) || (!isCommitted && call is { Operation: S3Call.UploadPart, Key: "t/stale" }) || (!isCommitted && call.Operation == S3Call.Abort))
            {
                throw new HttpRequestException("the network is gone");
            }
        });
        await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce with { MaxConcurrentObjects = 1 }));
        Assert.True(pair.Target.HasOpenUpload);
        pair.Intervene(_ => { });
        await pair.RestartAsync();
        SyncTree.Write(pair.Folder, "a", "newer");
        File.Delete(pair.Folder.File("stale"));

        await pair.RunAsync(new SyncOptions { Delete = true, MaxDelete = DeletionLimit.Percent(100) });

        Assert.Equal("a=newer b=2", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
        AssertNoJournal();
    }

    [Fact]
    public async Task Backup_IsPublishedBeforeItsObjectIsReplaced()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["b"] = "2" }, new() { ["a"] = "old", ["gone"] = "g" });

        DirectoryResult result = await pair.RunAsync(AllAtOnce with { Backup = pair.Backup });

        Assert.True(result.Counts.IsComplete);
        Assert.Equal("a=old gone=g", Show(pair.GetBackup()));
        Assert.Equal("a=1 b=2", Show(pair.GetTarget()));
        Assert.False(pair.Target.HasOpenUpload);
    }

    [Fact]
    public async Task LimitIsReached_BeforeNothingIsPublished_AfterwardTheRestIs()
    {
        foreach (long most in new[] { 4L, 9L })
        {
            using SyncPair pair = new(SyncDirection.Upload, new FakeS3(), s3 => NewClient(s3.Client, options =>
            {
                options.StateDirectory = Folder.File("limited");
                options.Limit = new UsageLimit { MaxRequests = most };
            }));
            pair.Store.HasManyUploads = true;
            pair.SetSource(new Dictionary<string, string> { ["a"] = "1", ["b"] = "2", ["c"] = "3" });

            Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(new SyncOptions { Publish = PublishMode.AllAtOnce, MaxConcurrentObjects = 1 }));

            Assert.True(error is TransferException { Error: TransferError.LimitReached }, $"{most}: {error}");
            Assert.Empty(pair.GetTarget());
            Assert.False(pair.Target.HasOpenUpload);
        }
    }

    [Fact]
    public async Task TwoCallsAtOnce_TheSecondIsRefused()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, []);
        TransferException? refused = null;
        bool isFirst = true;
        Func<S3Call, CancellationToken, Task> meanwhile = async (call, _) =>
        {
            if (call.Operation == S3Call.Create && isFirst)
            {
                isFirst = false;
                refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));
            }
        };
        pair.Store.Before = meanwhile;

        DirectoryResult result = await pair.RunAsync(AllAtOnce);

        Assert.Equal(1, result.Counts.Copied);
        Assert.Contains("another process publishes all of its objects at once now", refused!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refused_WithWhatCanNotBePublished()
    {
        using SyncPair pair = NewPair(SyncDirection.Download, new() { ["a"] = "1" }, []);
        using SyncPair up = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, []);

        Assert.Contains("is a folder", (await Assert.ThrowsAsync<ArgumentException>(() => pair.RunAsync(AllAtOnce))).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => up.RunAsync(AllAtOnce with { DeleteDespiteFailures = true }));
        await Assert.ThrowsAsync<ArgumentException>(() => up.RunAsync(new SyncOptions { PublishLast = ["x"] }));
        await Assert.ThrowsAsync<ArgumentException>(() => up.RunAsync(AllAtOnce with { PublishLast = [" "] }));
    }

    [Fact]
    public async Task WithoutDirectoryForTheJournal_IsRefused()
    {
        using SyncPair pair = new(SyncDirection.Upload, new FakeS3(), s3 => NewClient(s3.Client, options => options.StateDirectory = string.Empty));
        pair.SetSource(new Dictionary<string, string> { ["a"] = "1" });

        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(AllAtOnce));

        Assert.Contains(nameof(TransferClientOptions.StateDirectory), refused.Message, StringComparison.Ordinal);
    }

    /// <summary>The state that a publication records is that of every synchronization, so the next run neither reads files nor asks for checksums.</summary>
    [Fact]
    public async Task SecondRun_ComparesNothingAgain()
    {
        using SyncPair pair = NewPair(SyncDirection.Inside, new() { ["a"] = "1", ["big"] = LargeContents[0] }, []);
        await pair.RunAsync(AllAtOnce);
        int before = pair.Target.Calls.Count;

        DirectoryResult result = await pair.RunAsync(AllAtOnce);

        Assert.Equal(2, result.Counts.Same);
        Assert.DoesNotContain(pair.Target.Calls.Skip(before), call => call.Operation is S3Call.Head or S3Call.Attributes or S3Call.Get);
    }

    /// <summary>As if the process was killed at any request: from there on, the store can't be reached until the next run, so nothing can be cleaned up.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task EndedAtAnyRequest_IsOldOrNewAfterTheNextRun(SyncDirection direction)
    {
        int interrupted = 0;
        int committed = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 400, quick: 60); seed++)
        {
            (bool isInterrupted, bool isCommitted) = await CheckAsync(direction, seed);
            interrupted += isInterrupted ? 1 : 0;
            committed += isCommitted ? 1 : 0;
        }

        Assert.True(interrupted > 20 && committed > 3, $"{interrupted} calls were interrupted, {committed} after the first object was published");
    }

    private async Task<(bool IsInterrupted, bool IsCommitted)> CheckAsync(SyncDirection direction, int seed)
    {
        Random random = new((seed * 4) + (int)direction);
        (Dictionary<string, string> source, Dictionary<string, string> target) = (NewTree(random), NewTree(random));
        using SyncPair pair = NewPair(direction, source, target, $"{direction}-{seed}", random.Next(1, 6));
        SyncOptions options = AllAtOnce with { EmptyFolders = pair.HasLocalSource, MaxConcurrentObjects = random.Next(1, 5), OnFailure = random.Next(2) == 0 ? FailurePolicy.Continue : FailurePolicy.Abort };
        string about = $"seed {seed} {direction}: {Show(source)} -> {Show(target)}";
        (bool isInterrupted, bool isCommitted) = (false, false);
        for (int times = random.Next(1, 4); times > 0; times--)
        {
            int left = random.Next(1, 60);
            pair.Intervene(call =>
            {
                if (Interlocked.Decrement(ref left) <= 0)
                {
                    isInterrupted = true;
                    throw new HttpRequestException("the network is gone");
                }

                isCommitted |= call.Operation == S3Call.Complete;
            });
            _ = await Record.ExceptionAsync(() => pair.RunAsync(options));
            Assert.True(isCommitted || Show(pair.GetTarget()) == Show(target) || pair.Target.GetCount(S3Call.DeleteBatch) + pair.Target.GetCount(S3Call.Delete) > 0, $"{about}\nis {Show(pair.GetTarget())}");
            pair.Intervene(_ => { });
            await pair.RestartAsync();
        }

        DirectoryResult result = await pair.RunAsync(options);

        Assert.True(result.Counts.IsComplete, $"{about}\n{string.Join("\n", result.Failures.Select(failure => $"{failure} {failure.Error}"))}");
        Assert.True(Show(source) == Show(pair.GetTarget()), $"{about}\nended with {Show(pair.GetTarget())}");
        Assert.False(pair.Target.HasOpenUpload, $"an upload is left behind: {about}");
        AssertNoJournal($"{direction}-{seed}");
        return (isInterrupted, isCommitted);
    }

    private SyncPair NewPair(SyncDirection direction, Dictionary<string, string> source, Dictionary<string, string> target, string state = "state", int pageSize = 1000)
    {
        SyncPair pair = new(direction, new FakeS3 { PageSize = pageSize }, s3 => NewClient(s3.Client, options =>
        {
            options.StateDirectory = Folder.File(state);
            options.MaxAttempts = 1;
            options.MultipartThresholdBytes = 100_000;
        }))
        { Folders = ["f/"] };
        pair.Store.HasManyUploads = pair.Target.HasManyUploads = true;
        pair.SetSource(source);
        pair.SetTarget(target);
        return pair;
    }

    private void AssertNoJournal(string state = "state")
    {
        string path = Folder.File(state);
        Assert.All(Directory.Exists(path) ? Directory.EnumerateFiles(path) : [], file => Assert.EndsWith(".sync", file, StringComparison.Ordinal));
    }

    private static Dictionary<string, string> NewTree(Random random)
    {
        double share = random.NextDouble();
        return Names.Where(_ => random.NextDouble() < share).ToDictionary(
            name => name, name => name.EndsWith('/') ? string.Empty : name == "big" ? LargeContents[random.Next(LargeContents.Length)] : Contents[random.Next(Contents.Length)]);
    }

    private static string Show(Dictionary<string, string> tree)
        => SyncTree.Show(tree.ToDictionary(one => one.Key, one => one.Value.Length > 100 ? $"{one.Value[0]}*{one.Value.Length}" : one.Value));
}
