using System.Net;
using System.Text;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Directories;

/// <summary>What every operation on two sides promises, in every direction: copies, moves, synchronizations, and jobs.</summary>
public sealed class TreeTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Range = 64 * 1024;

    private static readonly string[] Names = ["a", ".hidden/x", "b c+d%25é", "d/e/\U0001F600", "f&g=h#i", "file", "n/" + new string('n', 200)];

    /// <summary>Names that an object can have, and a file can't or mustn't have.</summary>
    private static readonly string[] OfObjects =
    [
        "../up", "a2/../../up", "/absolute", "x//y", "C:/x", "back\\..\\slash", "a\0b", "a\u001bb", new string('n', 256), "..", "dir/..", "x/./y",
        "file/below", "marker/",
    ];

    private static readonly string[] Beside = ["s!", "sx/a", "tx/a"];

    public static TheoryData<TreeOperation, SyncDirection> All => Matrix.Of(Enum.GetValues<TreeOperation>(), Enum.GetValues<SyncDirection>());

    public static TheoryData<TreeOperation, SyncDirection> Copies => Matrix.Of([TreeOperation.Copy, TreeOperation.Move], Enum.GetValues<SyncDirection>());

    public static TheoryData<TreeOperation, SyncDirection> AllButSyncs
        => Matrix.Of([TreeOperation.Copy, TreeOperation.Move, TreeOperation.Job], Enum.GetValues<SyncDirection>());

    public static TheoryData<TreeOperation, SyncDirection> AllButJobs
        => Matrix.Of([TreeOperation.Copy, TreeOperation.Move, TreeOperation.Sync], Enum.GetValues<SyncDirection>());

    public static TheoryData<TreeOperation, SyncDirection> OfKeys
        => Matrix.Of([TreeOperation.Copy, TreeOperation.Move, TreeOperation.Job], [SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between]);

    private static DirectoryOptions GoOn => new() { OnFailure = FailurePolicy.Continue };

    /// <summary>
    /// Everything at the source arrives under its own name, and nothing beside the sides is touched. What can't be a file is a failure of its own, and is
    /// written nowhere.
    /// </summary>
    [Theory]
    [MemberData(nameof(All))]
    public async Task EveryName_ArrivesOrFailsAlone(TreeOperation operation, SyncDirection direction)
    {
        string[] names = direction switch
        {
            SyncDirection.Upload => Names,
            SyncDirection.Download => [.. Names, .. OfObjects],
            _ => [.. Names, .. OfObjects, "empty/"],
        };
        string[] refused = direction == SyncDirection.Download ? OfObjects : [];
        using TreePair pair = NewPair(operation, direction, names);
        pair.Sides.SetTarget(ToTree("gone"));
        foreach (FakeS3 store in new[] { pair.Sides.Store, pair.Sides.Target })
        {
            store.PageSize = 3;
            Array.ForEach(Beside, key => store.Put(key, 1));
        }

        List<Outcome> told = [];

        DirectoryResult result = await pair.RunAsync(operation == TreeOperation.Job ? GoOn : GoOn with { ObjectEnded = told.Add });

        Dictionary<string, string> arrived = ToTree([.. names.Except(refused)]);
        Assert.EachEqual((arrived.Count, refused.Length, 0), (result.Counts.Copied, result.Counts.Failed + result.Counts.Conflicts, result.Counts.Skipped));
        Assert.Equal(arrived.Values.Sum(Encoding.UTF8.GetByteCount), result.Counts.Bytes);
        Assert.Equal(refused.Order(StringComparer.Ordinal), result.Failures.Select(failure => failure.Name).Order(StringComparer.Ordinal));
        Assert.All(result.Failures, failure => Assert.Contains("can't be ", failure.Error!.Message, StringComparison.Ordinal));
        Assert.All(result.Failures, failure => Assert.Equal(SyncPair.SourcePrefix + failure.Name, ((TransferException)failure.Error!).Key));
        Assert.Equal(operation == TreeOperation.Job ? 0 : refused.Length, told.Count(outcome => outcome.Error is not null));
        string[] kept = operation == TreeOperation.Sync && refused.Length == 0 ? [] : ["gone"];
        Assert.Equal(SyncTree.Show(arrived.Concat(ToTree(kept)).ToDictionary()), SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal(SyncTree.Show(ToTree(operation == TreeOperation.Move ? refused : names)), SyncTree.Show(pair.Sides.GetSource()));
        Assert.All(new[] { pair.Sides.Store, pair.Sides.Target }, store => Assert.Subset(store.Objects.Keys.ToHashSet(), Beside.ToHashSet()));
        Assert.False(Path.Exists(Path.Combine(pair.Sides.Folder.Path, "../up")));
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Filters_Select(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "a.log", "b.txt", "d/c.log", "d/.e/f.log", ".g.log", "x/h.log");

        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { Include = ["*.log"], Exclude = ["x/"], IncludeHidden = false });

        Assert.EachEqual((2, 0), (result.Counts.Copied, result.Counts.Failed));
        Assert.Equal(["a.log", "d/c.log"], pair.Sides.GetTarget().Keys.Order());
    }

    [Theory]
    [MemberData(nameof(AllButJobs))]
    public async Task FirstFailure_StopsTheRest(TreeOperation operation, SyncDirection direction)
    {
        string[] names = [.. Enumerable.Range(0, 300).Select(i => $"o{i:000}")];
        using TreePair pair = NewPair(operation, direction, names);
        if (!pair.Sides.HasLocalTarget)
        {
            pair.Sides.SetSource(new Dictionary<string, string> { ["large"] = new('x', Part + 1) }); // a large download would leave what a later one continues
        }

        pair.Sides.SetTarget(ToTree("gone"));
        List<string> began = [];
        pair.BeforeContent((name, token) =>
        {
            int number = Begin(name); // an object can take several requests, and an error of the one that proves a condition isn't one of the object
            return number < 5 ? Task.CompletedTask
                : number == 5 ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied")
                : Task.Delay(Timeout.InfiniteTimeSpan, token); // it completes only when it is canceled
        });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(new DirectoryOptions()));

        Assert.EachEqual((began[5], "AccessDenied"), (e.Key?["s/".Length..], e.ErrorCode));
        Dictionary<string, string> target = pair.Sides.GetTarget();
        Assert.InRange(target.Count, 1, 7); // five, "gone", and a large upload, whose parts aren't counted
        Assert.Contains("gone", target);
        Assert.Subset(names.Concat(["gone", "large"]).ToHashSet(), target.Keys.ToHashSet());
        Assert.False(pair.Sides.Target.HasOpenUpload);

        int Begin(string name)
        {
            lock (began)
            {
                if (!began.Contains(name))
                {
                    began.Add(name);
                }

                return began.IndexOf(name);
            }
        }
    }

    [Theory]
    [InlineData(TreeOperation.Copy)]
    [InlineData(TreeOperation.Sync)]
    [InlineData(TreeOperation.Job)]
    public async Task NameThatIsRefused_StopsTheRest(TreeOperation operation)
    {
        using TreePair pair = NewPair(operation, SyncDirection.Download, "..");

        Assert.Equal("s/..", (await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(new DirectoryOptions()))).Key);
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Failures_WithContinue_AreInTheResultAndTheRestArrives(TreeOperation operation, SyncDirection direction)
    {
        string[] names = [.. Enumerable.Range(0, 20).Select(i => $"o{i:00}")];
        using TreePair pair = NewPair(operation, direction, names);
        pair.Sides.SetTarget(ToTree("gone"));
        pair.BeforeContent((name, _) => name is "o07" or "o13" ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask);

        DirectoryResult result = await pair.RunAsync(GoOn);

        Assert.EachEqual((18, 18 * 3, 2), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Failed));
        Assert.Equal(["o07", "o13"], result.Failures.Select(failure => failure.Name));
        Assert.All(result.Failures, failure => Assert.Contains("AccessDenied", failure.Error!.Message, StringComparison.Ordinal));
        Assert.Equal(names.Except(["o07", "o13"]).Prepend("gone"), pair.Sides.GetTarget().Keys.Order());
        Assert.Equal(operation == TreeOperation.Move ? ["o07", "o13"] : names, pair.Sides.GetSource().Keys.Order());
        Assert.False(pair.Sides.Target.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(AllButSyncs))]
    public async Task SkipExisting_KeepsWhatIsThere(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "d/a", "d/b");
        pair.Sides.SetSource(new Dictionary<string, string> { ["large"] = new('x', Part + 1) });
        pair.Sides.SetTarget(new Dictionary<string, string> { ["d/a"] = "there", ["large"] = "there" });
        List<TransferProgress> reports = [];

        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { SkipExisting = true }, new RecordedProgress(reports));

        Assert.EachEqual((1, 2, 3), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Bytes));
        Assert.Equal("d/a=there d/b=d/b large=there", SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal(operation == TreeOperation.Move ? ["d/a", "large"] : ["d/a", "d/b", "large"], pair.Sides.GetSource().Keys.Order());
        Assert.DoesNotContain(pair.Calls, call => call is { Operation: S3Call.Get or S3Call.Copy or S3Call.CopyPart, Key: "s/d/a" or "s/large" });
        Assert.DoesNotContain(pair.Calls, call => call is { Operation: S3Call.Create, Key: "t/large" });
        if (operation != TreeOperation.Job)
        {
            Assert.EachEqual((3, 3, 3), (reports[^1].ObjectsCompleted, reports[^1].TotalObjects, reports[^1].TotalBytes));
            Assert.InRange(reports[^1].BytesTransferred, 3, direction == SyncDirection.Upload ? 9 : 3); // an upload finds out by sending that an object exists
        }
    }

    [Theory]
    [MemberData(nameof(Copies))]
    public async Task SkipExisting_KeepsWhatAppearsMeanwhile(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "a");
        pair.BeforeContent((_, _) =>
        {
            pair.Sides.SetTarget(new Dictionary<string, string> { ["a"] = "there" });
            return Task.CompletedTask;
        });

        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { SkipExisting = true });

        Assert.EachEqual((0, 1), (result.Counts.Copied, result.Counts.Skipped));
        Assert.Equal("a=there", SyncTree.Show(pair.Sides.GetTarget()));
        Assert.True(pair.Sides.GetSource().ContainsKey("a"));
        Assert.False(pair.Sides.Target.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(Copies))]
    public async Task DryRun_TellsWhatItWouldDoAndChangesNothing(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "a", "d/b", "there", "x.log");
        pair.Sides.SetTarget(new Dictionary<string, string> { ["there"] = "-" });
        string before = SyncTree.Show(pair.Sides.GetSource());
        List<Outcome> told = [];

        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { DryRun = true, SkipExisting = true, Exclude = ["*.log"], ObjectEnded = told.Add });

        Assert.EachEqual((2, 4, 1), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Skipped));
        Assert.Equal(
            [("a", OutcomeStatus.Planned), ("d/b", OutcomeStatus.Planned), ("there", OutcomeStatus.Skipped)],
            told.Select(one => (one.Name, one.Status)).Order());
        Outcome planned = told.Single(one => one.Name == "d/b");
        Assert.EachEqual((pair.Sides.From.GetAddress("d/b"), pair.Sides.To.GetAddress("d/b")), (planned.Source, planned.Target));
        Assert.Equal("there=-", SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal(before, SyncTree.Show(pair.Sides.GetSource()));
        Assert.All(pair.Calls, call => Assert.True(call.Operation is S3Call.List or S3Call.Head, call.Operation));
        Assert.Equal(direction == SyncDirection.Upload, Directory.Exists(pair.Sides.Folder.File("d")));
        pair.Sides.Store.Calls.Clear();
        pair.Sides.Target.Calls.Clear();
        Assert.Equal(3, (await pair.RunAsync(new DirectoryOptions { DryRun = true, Exclude = ["*.log"] })).Counts.Copied);
        Assert.All(pair.Calls, call => Assert.Equal(S3Call.List, call.Operation)); // only existing targets are looked up
    }

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task Cancellation_LeavesOnlyWhatIsWhole(SyncDirection direction)
    {
        using TreePair pair = NewPair(TreeOperation.Copy, direction, [.. Enumerable.Range(0, 30).Select(i => $"o{i:00}")]);
        Gate gate = new();
        using CancellationTokenSource stop = new();
        pair.BeforeContent((name, token) => name == "o10" ? gate.PassAsync(token) : Task.CompletedTask);
        Task<DirectoryResult> copy = pair.RunAsync(new DirectoryOptions(), null, stop.Token);
        await gate.Reached;

        await stop.CancelAsync();

        Assert.Equal(stop.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => copy.Within())).CancellationToken);
        Dictionary<string, string> target = pair.Sides.GetTarget();
        Assert.All(target, one => Assert.Equal(one.Key, one.Value));
        Assert.DoesNotContain("o10", target);
        Assert.False(pair.Sides.Target.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(OfKeys))]
    public async Task Listing_Fails_IsThrown(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "a");
        pair.Sides.Store.Before = (call, _) => call is { Operation: S3Call.List, Key: SyncPair.SourcePrefix }
            ? throw FakeS3.Error(HttpStatusCode.NotFound, "NoSuchBucket")
            : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(GoOn));

        Assert.EachEqual(("NoSuchBucket", FakeS3.Bucket), (e.ErrorCode, e.Bucket));
    }

    [Theory]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task ListedObject_NotUnderThePrefix_IsAFailure(SyncDirection direction)
    {
        using TreePair pair = NewPair(TreeOperation.Copy, direction, "a");
        pair.Sides.Store.Page = page => page.S3Objects.Add(new Amazon.S3.Model.S3Object { Key = "other/b", Size = 1 });

        DirectoryResult result = await pair.RunAsync(GoOn);

        Outcome failure = Assert.Single(result.Failures);
        Assert.EachEqual((1, "other/b", null), (result.Counts.Copied, failure.Name, failure.Target));
        Assert.Contains("is not under 's/'", failure.Error?.Message, StringComparison.Ordinal);
        Assert.Equal(["a"], pair.Sides.GetTarget().Keys);
    }

    /// <summary>A listing, a list that knows sizes and ETags, and one that doesn't.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload, "files")]
    [InlineData(SyncDirection.Download, "listing")]
    [InlineData(SyncDirection.Download, "known keys")]
    [InlineData(SyncDirection.Download, "keys")]
    [InlineData(SyncDirection.Inside, "listing")]
    [InlineData(SyncDirection.Inside, "keys")]
    [InlineData(SyncDirection.Between, "listing")]
    [InlineData(SyncDirection.Between, "keys")]
    public async Task Requests_AreThoseOfObjectsAndPages(SyncDirection direction, string by)
    {
        bool hasRanges = direction == SyncDirection.Between || by == "keys";
        int[] lengths = [hasRanges ? 2 : 0, 1, 4095, 4096, 4097, Range - 1, Range];
        Dictionary<string, string> tree = Enumerable.Range(0, lengths.Length).ToDictionary(static i => $"d{i % 3}/{i}", i => new string('x', lengths[i]));
        using TreePair pair = NewPair(TreeOperation.Copy, direction);
        pair.Sides.SetSource(tree);
        pair.Sides.Store.PageSize = 3;
        foreach ((string key, FakeObject one) in pair.Sides.Store.Objects)
        {
            pair.Sides.Store.Objects[key] = one with { Crc64NvmeInGet = one.Crc64Nvme }; // as S3 does for whole objects
        }

        IEnumerable<ObjectKey> keys = pair.Sides.Store.Objects.ToArray().Select(one => by == "keys"
            ? new ObjectKey { Key = one.Key }
            : new ObjectKey { Key = one.Key, Length = one.Value.Content.Length, ETag = one.Value.ETag });
        bool isOfKeys = by.EndsWith("keys", StringComparison.Ordinal);
        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { Keys = isOfKeys ? keys.ToAsyncEnumerable() : null });

        Assert.EachEqual((7, lengths.Sum(), 7, 0), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified, result.Statistics.Retries));
        Assert.Equal(tree, pair.Sides.GetTarget());
        string[] expected = direction switch
        {
            SyncDirection.Upload => [S3Call.Put],
            SyncDirection.Download => [S3Call.Get],
            SyncDirection.Inside => [S3Call.Copy, S3Call.Head], // a copy is bound to what HEAD returned
            _ => [S3Call.Get, S3Call.Put],
        };
        string[] pages = by == "listing" ? [.. Enumerable.Repeat(S3Call.List, 3)] : [];
        Assert.Equal(expected.SelectMany(call => Enumerable.Repeat(call, 7)).Concat(pages).Order(), pair.Calls.Select(call => call.Operation).Order());
        Assert.Equal(pair.Calls.Count(), result.Statistics.Requests);
    }

    [Theory]
    [InlineData(SyncDirection.Upload, S3Call.UploadPart, 2)]
    [InlineData(SyncDirection.Download, S3Call.Get, 80)]
    [InlineData(SyncDirection.Inside, S3Call.CopyPart, 2)]
    [InlineData(SyncDirection.Between, S3Call.UploadPart, 2)]
    public async Task LargeObject_IsTransferredInParts(SyncDirection direction, string operation, int parts)
    {
        using TreePair pair = NewPair(TreeOperation.Copy, direction);
        Dictionary<string, string> tree = new() { ["d/large"] = Convert.ToHexString(Sample.Bytes((Part / 2) + 1)) };
        pair.Sides.SetSource(tree);

        DirectoryResult result = await pair.RunAsync(new DirectoryOptions { Copy = new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part } });

        Assert.EachEqual((1, 1), (result.Counts.Copied, result.Counts.Verified));
        Assert.Equal(tree, pair.Sides.GetTarget());
        Assert.Equal(parts, pair.Calls.Count(call => call.Operation == operation));
        Assert.DoesNotContain(pair.Calls, call => call.Operation is S3Call.Put or S3Call.Copy);
        Assert.Equal(direction == SyncDirection.Inside ? 1 : 0, pair.Calls.Count(call => call.Operation == S3Call.Head)); // others know the size
    }

    /// <summary>Only what is in a list is read, and a key that is missing or elsewhere is a failure.</summary>
    [Theory]
    [MemberData(nameof(OfKeys))]
    public async Task Keys_AreTransferredWithoutAListing(TreeOperation operation, SyncDirection direction)
    {
        using TreePair pair = NewPair(operation, direction, "a", "d/b", "e", "not in the list");
        string[] keys = ["s/e", "s/missing", "s/d/b", "s/a"];

        DirectoryResult result = await pair.RunAsync(GoOn with { Keys = keys.Select(key => new ObjectKey { Key = key }).ToAsyncEnumerable() });

        Assert.EachEqual((3, 5, 1), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Failed));
        Assert.Equal("missing", Assert.Single(result.Failures).Name);
        Assert.Equal("a=a d/b=d/b e=e", SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal(operation == TreeOperation.Move ? ["not in the list"] : ["a", "d/b", "e", "not in the list"], pair.Sides.GetSource().Keys.Order());
        Assert.DoesNotContain(pair.Sides.Store.Calls, call => call is { Operation: S3Call.List, Key: SyncPair.SourcePrefix });
    }

    private static Dictionary<string, string> ToTree(params string[] names)
        => names.ToDictionary(static name => name, static name => name == "empty/" ? string.Empty : name);

    private TreePair NewPair(TreeOperation operation, SyncDirection direction, params string[] names)
    {
        TreePair pair = new(operation, direction, s3 => NewClient(s3.Client));
        pair.Sides.SetSource(ToTree(names));
        return pair;
    }
}
