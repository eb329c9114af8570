using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Trees;

namespace Transfer.S3.Tests.Sync;

/// <summary>What is compared, copied, kept, and deleted, and the ways in which other tools lose data.</summary>
public sealed class SyncTests : TransferTest
{
    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    private static SyncOptions Continuing => new() { OnFailure = FailurePolicy.Continue };

    private static SyncOptions Deleting => Continuing with { Delete = true };

    /// <summary>aws-cli #3273, and JuiceFS by default: a change that leaves the size as it was isn't copied.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ChangeOfTheSameSize_IsCopied(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1234", ["b"] = "same" }, new() { ["a"] = "4321", ["b"] = "same" });

        Assert.Equal(["Replace a: checksum", "Same b: etag"], await ShowAsync(pair, Continuing));
        DirectoryResult result = await pair.RunAsync(Continuing);

        Assert.EachEqual((0, 1, 1, 0), (result.Counts.Copied, result.Counts.Replaced, result.Counts.Same, result.Counts.Deleted));
        Assert.Equal("1234", pair.GetTarget()["a"]);
    }

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Between)]
    public async Task NewObjects_OneProvesConditionsForAll(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, Enumerable.Range(100, 60).ToDictionary(static i => $"{i}", static _ => "x"), []);

        DirectoryResult result = await pair.RunAsync(Continuing);

        Assert.Equal(60, result.Counts.Copied);
        Assert.EachEqual((1, 61), (pair.Target.GetCount(S3Call.Head), pair.Target.GetCount(S3Call.Put)));
    }

    [Fact]
    public async Task NewObjects_TheOneThatProvesFails_OthersAreLookedUp()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, Enumerable.Range(100, 60).ToDictionary(static i => $"{i}", static _ => "x"), []);
        string? first = null;
        pair.Intervene(call =>
        {
            if (call.Operation == S3Call.Put && (Interlocked.CompareExchange(ref first, call.Key, null) ?? call.Key) == call.Key)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });

        DirectoryResult result = await pair.RunAsync(Continuing);

        Assert.EachEqual((59, 1), (result.Counts.Copied, result.Counts.Failed));
        Assert.InRange(pair.Target.GetCount(S3Call.Head), 2, 60);
    }

    /// <summary>An older file with other content counts as the same where the newer one wins.</summary>
    [Fact]
    public async Task Times_DecideNothing()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["old"] = "1234", ["new"] = "same" }, new() { ["old"] = "4321", ["new"] = "same" });
        File.SetLastWriteTimeUtc(pair.Folder.File("old"), new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        File.SetLastWriteTimeUtc(pair.Folder.File("new"), new DateTime(2099, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        DirectoryResult result = await pair.RunAsync(Continuing);

        Assert.EachEqual((1, 1), (result.Counts.Replaced, result.Counts.Same));
    }

    /// <summary>s5cmd #815: what is excluded is deleted at the target.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Excluded_IsNotDeleted(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1", ["x.tmp"] = "here" }, new() { ["a"] = "1", ["x.tmp"] = "there", ["y.tmp"] = "only there", ["gone"] = "" });
        SyncOptions options = Deleting with { Exclude = ["*.tmp"] };

        DirectoryResult result = await pair.RunAsync(options);

        Assert.EachEqual((1, 0), (result.Counts.Deleted, result.Counts.Failed));
        Assert.Equal("a=1 x.tmp=there y.tmp=only there", SyncTree.Show(pair.GetTarget()));

        Assert.Equal(2, (await pair.RunAsync(options with { DeleteExcluded = true })).Counts.Deleted);
        Assert.Equal("a=1", SyncTree.Show(pair.GetTarget()));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task EmptySource_IsRefused(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, [], new() { ["a"] = "1" });

        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(Deleting));
        await Assert.ThrowsAsync<TransferException>(() => pair.PlanAsync(Deleting));

        Assert.Equal(direction == SyncDirection.Upload ? TransferError.SourceEmpty : TransferError.SourceMissing, refused.Error);
        Assert.Equal("a=1", SyncTree.Show(pair.GetTarget()));
        Assert.Equal(1, (await pair.RunAsync(Deleting with { AllowEmptySource = true })).Counts.Deleted);
        Assert.Empty(pair.GetTarget());
    }

    /// <summary>Filters that select nothing at the source look the same as an empty source.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task NothingSelectedAtTheSource_IsRefused(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1" }, new() { ["b.txt"] = "1" });

        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(Deleting with { Include = ["*.txt"] }));

        Assert.Equal(TransferError.SourceEmpty, refused.Error);
        Assert.Equal("b.txt=1", SyncTree.Show(pair.GetTarget()));
    }

    [Fact]
    public async Task MissingFolder_IsRefusedBeforeAnythingIsSent()
    {
        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => NewClient().SyncAsync(Place.InDirectory(Folder.File("nothing")), Place.InBucket(FakeS3.Bucket, "t"), Deleting));

        Assert.Equal(TransferError.SourceMissing, refused.Error);
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(99, 50, "", true)]
    [InlineData(100, 50, "", true)]
    [InlineData(100, 51, "", false)]
    [InlineData(100, 51, "100%", true)]
    [InlineData(10, 3, "30%", true)]
    [InlineData(10, 4, "30%", false)]
    [InlineData(10, 3, "3", true)]
    [InlineData(10, 4, "3", false)]
    [InlineData(10, 1, "0", false)]
    public async Task MaxDelete_IsCheckedBeforeTheFirstDeletion(int targets, int deletions, string limit, bool isAllowed)
    {
        Dictionary<string, string> target = Enumerable.Range(0, targets).ToDictionary(i => $"{i:D3}", _ => "1");
        using SyncPair pair = NewPair(SyncDirection.Upload, target.Skip(deletions).Append(new("new", "2")).ToDictionary(), target);
        SyncOptions options = Deleting with
        {
            MaxDelete = limit.Length == 0 ? DeletionLimit.Default : limit.EndsWith('%') ? DeletionLimit.Percent(int.Parse(limit[..^1])) : DeletionLimit.Count(int.Parse(limit)),
        };

        Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(options));

        Assert.Equal(isAllowed, error is null);
        Assert.True(isAllowed || error is TransferException { Error: TransferError.DeletionLimit });
        Assert.Equal("2", pair.GetTarget()["new"]);
        Assert.Equal(isAllowed ? targets - deletions + 1 : targets + 1, pair.GetTarget().Count);
        Assert.Equal(isAllowed, pair.Deletions > 0);
    }

    [Fact]
    public async Task MaxDelete_IsCheckedAtTheEndOfThePlan()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, new() { ["b"] = "1", ["c"] = "1" });
        List<Outcome> actions = [];

        TransferException e = await Assert.ThrowsAsync<TransferException>(async () =>
        {
            await foreach (Outcome action in NewClient(pair.Target.Client).PlanSyncAsync(Place.InDirectory(pair.Folder.Path), Place.InBucket(FakeS3.Bucket, "t"), Deleting with { MaxDelete = DeletionLimit.Count(1) }))
            {
                actions.Add(action);
            }
        });

        Assert.Equal(TransferError.DeletionLimit, e.Error);
        Assert.Equal(["Copy a", "Delete b", "Delete c"], actions.Select(action => $"{action.Operation} {action.Name}"));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("", "below")]
    [InlineData("below", "")]
    [InlineData("a", "a")]
    [InlineData("a", "a/b")]
    [InlineData("a/b/", "a")]
    public async Task SidesThatOverlap_AreRefused(string source, string target)
    {
        TransferClient client = NewClient();
        await Assert.ThrowsAsync<ArgumentException>(() => client.SyncAsync(Place.InBucket(FakeS3.Bucket, source), Place.InBucket(FakeS3.Bucket, target)));
        await Assert.ThrowsAsync<ArgumentException>(() => client.SyncAsync(Place.InBucket(FakeS3.Bucket, source), client, Place.InBucket(FakeS3.Bucket, target)));
        Assert.Throws<ArgumentException>(() => client.PlanSyncAsync(Place.InBucket(FakeS3.Bucket, source), Place.InBucket(FakeS3.Bucket, target)));
        Assert.Empty(S3.Calls);
    }

    [UnixFact]
    public async Task SourceThatCantBeRead_ShieldsItsTarget()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, new() { ["a"] = "1", ["l/x"] = "1", ["l-y"] = "1", ["l"] = "1", ["m"] = "1" });
        File.CreateSymbolicLink(pair.Folder.File("l"), "l"); // whether it is a file or a folder can't be found out
        SyncOptions options = Deleting with { DeleteDespiteFailures = true };

        DirectoryResult result = await pair.RunAsync(Deleting);
        Assert.EachEqual((1, 0, 2), (result.Counts.Failed, result.Counts.Deleted, result.Counts.Withheld));

        result = await pair.RunAsync(options);
        Assert.EachEqual((1, 2, 1), (result.Counts.Failed, result.Counts.Deleted, result.Counts.Shielded));
        Assert.Equal("a=1 l=1 l/x=1", SyncTree.Show(pair.GetTarget()));
    }

    /// <summary>A link to nothing keeps what it could have led to, and holds back no other deletion.</summary>
    [UnixFact]
    public async Task LinkToNothing_IsLeftOutAndKeepsItsName()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1" }, new() { ["a"] = "1", ["l"] = "1", ["l-y"] = "1", ["l/x"] = "1", ["m"] = "1" });
        File.CreateSymbolicLink(pair.Folder.File("l"), "nowhere");

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.EachEqual((0, 2, 2, 0), (result.Counts.Failed, result.Counts.Deleted, result.Counts.Shielded, result.Counts.Withheld));
        Assert.Equal("a=1 l=1 l/x=1", SyncTree.Show(pair.GetTarget()));
        Assert.True(await pair.VerifyAsync());
    }

    [UnixFact]
    public async Task SkippedLink_ShieldsItsTarget()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["d/x"] = "1" }, new() { ["l/x"] = "1", ["m"] = "1", ["n"] = "2" });
        Directory.CreateSymbolicLink(pair.Folder.File("l"), "d");
        File.CreateSymbolicLink(pair.Folder.File("m"), "a");
        SyncOptions options = Deleting with { SymbolicLinks = SymbolicLinks.Skip };

        DirectoryResult result = await pair.RunAsync(options);

        Assert.EachEqual((2, 1, 2, 0), (result.Counts.Copied, result.Counts.Deleted, result.Counts.Shielded, result.Counts.Failed));
        Assert.Equal("a=1 d/x=1 l/x=1 m=1", SyncTree.Show(pair.GetTarget()));
    }

    [UnixFact]
    public async Task LinksInTheTarget_AreNeverFollowedOrRemoved()
    {
        using TemporaryFolder outside = new();
        SyncTree.Write(outside, "x", "outside");
        SyncTree.Write(outside, "y", "outside");
        using SyncPair pair = NewPair(SyncDirection.Download, new() { ["l/x"] = "changed", ["f"] = "changed", ["a"] = "1" }, new() { ["gone"] = "" });
        Directory.CreateSymbolicLink(pair.Folder.File("l"), outside.Path);
        Directory.CreateSymbolicLink(pair.Folder.File("only-here"), outside.Path);
        File.CreateSymbolicLink(pair.Folder.File("f"), outside.File("y"));

        foreach (SyncOptions options in new[] { Deleting, Deleting with { DeleteDespiteFailures = true } })
        {
            DirectoryResult result = await pair.RunAsync(options);

            Assert.False(result.Counts.IsComplete);
            Assert.Equal("x=outside y=outside", SyncTree.Show(SyncTree.ReadAll(outside)));
            Assert.NotNull(new DirectoryInfo(pair.Folder.File("l")).LinkTarget);
            Assert.NotNull(new DirectoryInfo(pair.Folder.File("only-here")).LinkTarget);
            Assert.NotNull(new FileInfo(pair.Folder.File("f")).LinkTarget);
            Assert.Equal(options.DeleteDespiteFailures, !File.Exists(pair.Folder.File("gone")));
        }
    }

    [UnixFact]
    public async Task TargetThatIsALink_IsFollowed()
    {
        using TemporaryFolder real = new();
        SyncTree.Write(real, "gone/x", "1");
        string link = Folder.File("link");
        Directory.CreateSymbolicLink(link, real.Path);
        S3.Put("s/d/a", 10);

        DirectoryResult result = await NewClient().SyncAsync(Place.InBucket(FakeS3.Bucket, "s"), Place.InDirectory(link), Deleting).Within();

        Assert.EachEqual((1, 1, true), (result.Counts.Copied, result.Counts.Deleted, result.Counts.IsComplete));
        Assert.Equal(["a"], real.Files);
    }

    [Fact]
    public async Task FileInThePlaceOfAFolder_ShieldsBoth()
    {
        using SyncPair pair = NewPair(SyncDirection.Download, new() { ["a/b"] = "1", ["c"] = "2" }, new() { ["a"] = "file", ["c/d"] = "in folder", ["gone"] = "" });

        Assert.Equal(
            ["Conflict a/b", "Conflict c", "Shielded a", "Delete gone"],
            (await pair.PlanAsync(Deleting with { DeleteDespiteFailures = true })).Where(action => action.Name != "c/d").Select(action => $"{action.Status switch { OutcomeStatus.Planned => action.Operation.ToString(), var status => status.ToString() }} {action.Name}"));
        DirectoryResult result = await pair.RunAsync(Deleting);
        Assert.EachEqual((2, 0, 1), (result.Counts.Conflicts, result.Counts.Deleted, result.Counts.Withheld));
        result = await pair.RunAsync(Deleting with { DeleteDespiteFailures = true });
        Assert.EachEqual((2, 1), (result.Counts.Conflicts, result.Counts.Deleted));
        Assert.Equal("a=file c/d=in folder", SyncTree.Show(pair.GetTarget()));
    }

    [Fact]
    public async Task Folders_AreDeletedOnlyWhereTheyAreEmpty()
    {
        using SyncPair pair = NewPair(
            SyncDirection.Download, new() { ["keep/a"] = "1", ["marked/"] = "" }, new() { ["gone/b/c"] = "1", ["gone/d"] = "1", ["part/x.tmp"] = "1", ["part/y"] = "1" });
        Directory.CreateDirectory(pair.Folder.File("empty/below"));

        DirectoryResult result = await pair.RunAsync(Deleting with { Exclude = ["*.tmp"] });

        Assert.True(result.Counts.IsComplete);
        Assert.EachEqual((2, 3), (result.Counts.Copied, result.Counts.Deleted));
        Assert.Equal("keep/a=1 part/x.tmp=1", SyncTree.Show(pair.GetTarget()));
        Assert.Equal(["keep", "marked", "part"], Directory.EnumerateDirectories(pair.Folder.Path).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task ObjectsThatRepresentFolders_StayWhileTheFolderExists()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["d/a"] = "1" }, new() { ["d/"] = "", ["gone/"] = "" });
        Directory.CreateDirectory(pair.Folder.File("empty"));

        Assert.True((await pair.RunAsync(Deleting)).Counts.IsComplete);

        Assert.Equal("d/= d/a=1", SyncTree.Show(pair.GetTarget()));
        Assert.True(await pair.VerifyAsync());
    }

    /// <summary>Folders without content are objects whose names end in a slash, and come back as folders.</summary>
    [Fact]
    public async Task EmptyFolders_AreUploadedAndDeletedLikeFiles()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1", ["d/"] = "", ["e/f/"] = "", ["h/.hidden"] = "", ["x/y.tmp"] = "", ["z.tmp/"] = "" }, new() { ["gone/"] = "" });
        SyncOptions options = Deleting with { EmptyFolders = true, Exclude = ["*.tmp"] };

        List<Outcome> plan = await pair.PlanAsync(options);
        Assert.Equal(
            ["Copy a: missing", "Copy d/: missing", "Copy e/f/: missing", "Copy h/.hidden: missing", "Delete gone/: not at the source"],
            plan.Select(action => $"{action.Status switch { OutcomeStatus.Planned => action.Operation.ToString(), var status => status.ToString() }} {action.Name}: {action.Reason}"));
        DirectoryResult result = await pair.RunAsync(options);

        Assert.EachEqual((4, 1, true), (result.Counts.Copied, result.Counts.Deleted, result.Counts.IsComplete));
        Assert.Equal("a=1 d/= e/f/= h/.hidden=", SyncTree.Show(pair.GetTarget()));
        pair.Target.Calls.Clear();
        Assert.EachEqual((0, 4), ((await pair.RunAsync(options)).Counts.Copied, (await pair.RunAsync(options)).Counts.Same));
        Assert.All(pair.Target.Calls, call => Assert.Equal(S3Call.List, call.Operation));

        TemporaryFolder back = Folder;
        Assert.True((await NewClient(pair.Target.Client).SyncAsync(Place.InBucket(FakeS3.Bucket, SyncPair.TargetPrefix), Place.InDirectory(back.File("b")), Deleting).Within()).Counts.IsComplete);
        Assert.True(Directory.Exists(back.File("b/e/f")) && Directory.Exists(back.File("b/d")));

        Directory.Delete(pair.Folder.File("d"));
        SyncTree.Write(pair.Folder, "e/f/g", "2"); // the folder isn't empty anymore, but still exists
        DirectoryResult next = await pair.RunAsync(options);
        Assert.EachEqual((1, 1), (next.Counts.Copied, next.Counts.Deleted));
        Assert.Equal("a=1 e/f/= e/f/g=2 h/.hidden=", SyncTree.Show(pair.GetTarget()));
    }

    /// <summary>An empty folder is no evidence that a disk is mounted.</summary>
    [Fact]
    public async Task OnlyEmptyFolders_AreAnEmptySource()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["d/"] = "" }, new() { ["a"] = "1" });

        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(Deleting with { EmptyFolders = true }));

        Assert.Equal(TransferError.SourceEmpty, refused.Error);
        Assert.True(pair.GetTarget().ContainsKey("a"));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Unchanged_TakesOnlyTheListings(SyncDirection direction)
    {
        Dictionary<string, string> tree = Enumerable.Range(0, 30).ToDictionary(i => $"d{i % 3}/{i}", i => new string('x', i));
        using SyncPair pair = NewPair(direction, tree, []);
        Assert.Equal(30, (await pair.RunAsync(Deleting)).Counts.Copied);
        pair.Store.Calls.Clear();
        pair.Target.Calls.Clear();

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.EachEqual((30, 0), (result.Counts.Same, result.Counts.Copied));
        Assert.All(pair.Store.Calls.Concat(pair.Target.Calls), call => Assert.Equal(S3Call.List, call.Operation));
    }

    [Fact]
    public async Task NoEvidence_IsReplaced()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "same" }, new() { ["a"] = "same" });
        pair.Target.Objects["t/a"] = new FakeObject(SyncTree.Bytes("same"), "\"opaque\"");

        Assert.Equal(["Replace a: no evidence"], await ShowAsync(pair, Continuing));
        Assert.Equal(["Same a: content"], await ShowAsync(pair, Continuing with { Comparison = SyncComparison.Content }));
        Assert.Equal(["Same a: size"], await ShowAsync(pair, Continuing with { Comparison = SyncComparison.Size }));
        Assert.Equal(1, (await pair.RunAsync(Continuing)).Counts.Replaced);
    }

    [Fact]
    public async Task NoEvidence_ContentOfTwoObjectsIsRead()
    {
        using SyncPair pair = NewPair(SyncDirection.Between, [], []);
        byte[] content = Sample.Bytes(200_000);
        byte[] changed = [.. content];
        changed[^1]++;
        foreach ((string name, byte[] target) in new[] { ("same", content), ("other", changed) })
        {
            pair.Store.Objects["s/" + name] = new FakeObject(content, "\"opaque\"");
            pair.Target.Objects["t/" + name] = new FakeObject(target, "\"opaque\"");
        }

        Assert.Equal(["Replace other: no evidence", "Replace same: no evidence"], await ShowAsync(pair, Continuing));
        Assert.Equal(["Replace other: content", "Same same: content"], await ShowAsync(pair, Continuing with { Comparison = SyncComparison.Content }));
    }

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    public async Task RecordedTimes_AreCompared(SyncDirection direction)
    {
        SyncOptions options = Continuing with { Comparison = SyncComparison.Time };
        using SyncPair pair = NewPair(direction, new() { ["a"] = "1234" }, direction == SyncDirection.Upload ? new() { ["a"] = "1234" } : []);
        DateTime time = new(2020, 2, 3, 4, 5, 6, DateTimeKind.Utc);
        if (direction == SyncDirection.Upload)
        {
            Assert.Equal(["Replace a: no evidence"], await ShowAsync(pair, options));
            File.SetLastWriteTimeUtc(pair.Folder.File("a"), time);
        }
        else
        {
            pair.Store.Objects["s/a"] = pair.Store.Objects["s/a"] with { Metadata = new Dictionary<string, string> { ["mtime"] = "1580702706" } };
        }

        Assert.True((await pair.RunAsync(options)).Counts.IsComplete);
        Assert.Equal(["Same a: time"], await ShowAsync(pair, options));
        File.SetLastWriteTimeUtc(pair.Folder.File("a"), time.AddSeconds(2));
        Assert.Equal(["Replace a: time"], await ShowAsync(pair, options));
        Assert.Equal(["Same a: time"], await ShowAsync(pair, options with { ModifyWindow = TimeSpan.FromSeconds(2) }));
    }

    [Fact]
    public async Task Reasons_AreNamed()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "1234567", ["b"] = "" }, new() { ["a"] = "12345", ["b"] = "", ["c"] = "" });

        Assert.Equal(["Replace a: size 5 → 7", "Same b: size", "Delete c: not at the source"], await ShowAsync(pair, Deleting));
        Assert.Equal(["Replace a: size 5 → 7", "Same b: size"], await ShowAsync(pair, Continuing));
    }

    /// <summary>A store that rejects If-Match: the target is looked up immediately before, and what has changed isn't replaced.</summary>
    [Fact]
    public async Task StoreRejectsIfMatch_TargetIsLookedUp()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, new() { ["a"] = "new a", ["b"] = "new b" }, new() { ["a"] = "1", ["b"] = "2" });
        pair.Target.Before = (call, _) =>
        {
            if (call is { Operation: S3Call.Put, Request: PutObjectRequest { IfMatch: not null } })
            {
                pair.Target.Put("t/b", SyncTree.Bytes("second writer"));
                throw FakeS3.Error(HttpStatusCode.NotImplemented, "NotImplemented");
            }

            return Task.CompletedTask;
        };

        DirectoryResult result = await pair.RunAsync(Continuing with { OnFailure = FailurePolicy.Continue, MaxConcurrentObjects = 1 });

        Assert.EachEqual((1, 1, 0), (result.Counts.Replaced, result.Counts.Conflicts, result.Counts.Failed));
        Assert.Equal("a=new a b=second writer", SyncTree.Show(pair.GetTarget()));
    }

    [LinuxFact]
    public async Task NameThatIsNotUtf8_IsAFailure()
    {
        using SyncPair pair = NewPair(SyncDirection.Download, new() { ["a"] = "1" }, new() { ["gone"] = "" });
        System.Diagnostics.Process.Start("/bin/sh", ["-c", $"touch \"{pair.Folder.Path}/$(printf 'x\\377')\""]).WaitForExit();

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.EachEqual((1, 1), (result.Counts.Failed, result.Counts.Withheld));
        Assert.Contains("not valid UTF-8", result.Failures[0].Reason, StringComparison.Ordinal);
        System.Diagnostics.Process.Start("/bin/sh", ["-c", $"rm \"{pair.Folder.Path}\"/x*"]).WaitForExit();
    }

    /// <summary>The state of clients changes while it is read, and belongs to this machine.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    public async Task StateDirectory_IsLeftOut(SyncDirection direction)
    {
        using TemporaryFolder root = new();
        string state = root.File("x/state");
        SyncTree.Write(root, "x/state/journal", "1");
        SyncTree.Write(root, "x/state-2", "2");
        TransferClient client = NewClient(options => options.StateDirectory = state);
        if (direction == SyncDirection.Upload)
        {
            Assert.Equal(1, (await client.SyncAsync(Place.InDirectory(root.Path), Place.InBucket(FakeS3.Bucket, "t"), Deleting).Within()).Counts.Copied);
            Assert.Equal("x/state-2=2", SyncTree.Show(SyncTree.ReadAll(S3, "t/")));
        }
        else
        {
            S3.Put("s/a", 1);
            Assert.Equal(1, (await client.SyncAsync(Place.InBucket(FakeS3.Bucket, "s"), Place.InDirectory(root.Path), Deleting).Within()).Counts.Deleted);
            Assert.True(File.Exists(root.File("x/state/journal")));
        }
    }

    [Fact]
    public async Task OptionsWithoutAnEffect_AreRefused()
    {
        SyncOptions[] wrong =
        [
            new() { DeleteExcluded = true },
            new() { DeleteDespiteFailures = true },
            new() { MaxDelete = DeletionLimit.Count(1) },
            new() { ModifyWindow = TimeSpan.FromDays(2) },
            new() { Upload = new UploadOptions { Overwrite = false } },
            new() { Upload = new UploadOptions { IfMatch = "x" } },
        ];
        Assert.All(wrong, options => Assert.ThrowsAny<ArgumentException>(() => NewClient().PlanSyncAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "t"), options)));
        DirectoryOptions copy = new() { Upload = new UploadOptions { Overwrite = false }, Download = new DownloadOptions { Overwrite = false }, Copy = new CopyOptions { Overwrite = false } };
        foreach (DirectoryOptions ignored in new[] { copy with { Upload = null, Copy = null }, copy with { Download = null, Copy = null }, copy with { Upload = null, Download = null } })
        {
            ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => NewClient().CopyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "t"), ignored));
            Assert.Contains("Overwrite is false; set SkipExisting instead", e.Message, StringComparison.Ordinal);
        }

        SyncOptions forUploads = new() { EmptyFolders = true };
        Assert.Throws<ArgumentException>(() => NewClient().PlanSyncAsync(Place.InBucket(FakeS3.Bucket, "t"), Place.InDirectory(Folder.Path), forUploads));
        Assert.Throws<ArgumentException>(() => NewClient().PlanSyncAsync(Place.InBucket(FakeS3.Bucket, "s"), Place.InBucket(FakeS3.Bucket, "t"), forUploads));
    }

    [Fact]
    public void ClashingNames_CoverWhatIsInTheirPlace()
    {
        ClashingNames names = new();
        names.Add("d/X");

        foreach ((string name, bool isCovered) in ((string, bool)[])[("d/x", true), ("D/x", true), ("d", true), ("D/X/y", true), ("d/xy", false), ("e", false), ("d/y", false)])
        {
            Assert.True(isCovered == names.Covers(name), name);
        }
    }

    [Fact]
    public void EntrySpool_ReturnsAllNames()
    {
        string[] names = ["a", "\uD800 half", "é/\U0001F600", new string('n', 5000), "line\nbreak"];
        using EntrySpool spool = new(Folder.Path);
        foreach (string name in names)
        {
            spool.Add(new TreeEntry(name, name.Length) { ETag = name[0] == 'a' ? null : "\"tag\"", LastWrite = 7 });
        }

        for (int i = 0; i < 2; i++)
        {
            TreeEntry[] read = [.. spool.Read()];
            Assert.Equal(names, read.Select(entry => entry.Name));
            Assert.All(read, entry => Assert.EachEqual((entry.Name.Length, 7, entry.Name == "a"), (entry.Length, entry.LastWrite, entry.ETag is null)));
        }

        Assert.Equal(OperatingSystem.IsWindows() ? 1 : 0, Folder.Files.Count);
    }

    private SyncPair NewPair(SyncDirection direction, Dictionary<string, string> source, Dictionary<string, string> target)
    {
        SyncPair pair = new(direction, new FakeS3 { PageSize = 7 }, s3 => NewClient(s3.Client));
        pair.SetSource(source);
        pair.SetTarget(target);
        return pair;
    }

    private static async Task<string[]> ShowAsync(SyncPair pair, SyncOptions options)
        => [.. (await pair.PlanAsync(options)).Select(action => $"{action.Status switch { OutcomeStatus.Planned => action.Operation.ToString(), var status => status.ToString() }} {action.Name}: {action.Reason}")];
}
