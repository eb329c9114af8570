using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Plans what a list of keys selects.</summary>
public sealed class KeyListJobTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "new", ["b"] = "same", ["c/d"] = "other size", ["c/é"] = "1234", ["f"] = "", ["not in the list"] = "x", ["\U0001F600"] = "y" };

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Keys_AreCopiedWithoutAListingOfTheSource(SyncDirection direction)
    {
        foreach (bool hasHints in new[] { true, false })
        {
            using JobPair pair = NewPair(direction);
            pair.Sides.SetTarget(new Dictionary<string, string> { ["b"] = "former", ["z"] = "stays" });
            string[] names = ["f", "c/é", "\U0001F600", "a", "c/d", "b", "a"];
            JobPlan plan = await pair.PlanAsync(GetOptions(names.Select(name => GetKey(pair, name, hasHints))));

            Assert.EachEqual((6, 22), (plan.Items, plan.Bytes));
            Assert.DoesNotContain(pair.Sides.Store.Calls, call => call.Operation == S3Call.List && call.Key == SyncPair.SourcePrefix);
            Assert.Equal(hasHints ? 0 : 6, pair.Sides.Store.Calls.Count(call => call.Operation == S3Call.Head && call.Key.StartsWith(SyncPair.SourcePrefix, StringComparison.Ordinal)));
            Assert.All(await pair.RunAllAsync(plan), result => Assert.True(result.IsFinished));
            JobSummary summary = await pair.Job.FinishAsync().Within();

            Assert.True(summary.IsComplete, $"{summary} {string.Join(", ", summary.Failures)}");
            Dictionary<string, string> expected = new(Source) { ["z"] = "stays" };
            expected.Remove("not in the list");
            Assert.Equal(SyncTree.Show(expected), SyncTree.Show(pair.Sides.GetTarget()));
        }
    }

    /// <summary>The list tells what is read. What has been replaced since, or doesn't exist, isn't copied.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ListIsOld_NothingElseIsCopied(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        List<Outcome> refused = [];
        ObjectKey[] keys =
        [
            GetKey(pair, "a", hasHints: true) with { ETag = "\"another\"" },
            GetKey(pair, "b", hasHints: true) with { ETag = "\"another\"", Length = null },
            GetKey(pair, "c/d", hasHints: true) with { Length = 5, ETag = null },
            new ObjectKey { Key = SyncPair.SourcePrefix + "missing" },
            GetKey(pair, "f", hasHints: true),
        ];
        JobPlan plan = await pair.PlanAsync(GetOptions(keys, FailurePolicy.Continue) with { Refused = refused.Add });

        Assert.EachEqual((2, 3), (plan.Items, plan.Refused));
        Assert.Equal(["b", "c/d", "missing"], refused.Select(action => action.Name));
        Assert.Contains("was replaced after the list of keys was made", refused[0].Reason, StringComparison.Ordinal);
        List<JobShardResult> results = await pair.RunAllAsync(plan);
        Assert.EachEqual((1, 1), (results.Sum(one => one.Done), results.Sum(one => one.Conflicts)));
        Assert.Equal(["f"], pair.Sides.GetTarget().Keys);

        using JobPair strict = NewPair(direction);
        await Assert.ThrowsAsync<TransferException>(() => strict.PlanAsync(GetOptions([new ObjectKey { Key = SyncPair.SourcePrefix + "missing" }])));
    }

    /// <summary>What two lines tell differently is asked of the store.</summary>
    [Fact]
    public async Task SameKeyTwice_IsPlannedOnce()
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        ObjectKey one = GetKey(pair, "a", hasHints: true);
        JobPlan plan = await pair.PlanAsync(GetOptions([one, one with { Length = 77, ETag = "x" }, GetKey(pair, "b", hasHints: true), one]));

        Assert.EachEqual((2, 7), (plan.Items, plan.Bytes));
        await pair.RunAllAsync(plan);
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
    }

    /// <summary>Workers read the version of the list, and nothing else: neither in the requests for the content nor in lookups.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Version_IsTheOneThatIsRead(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        pair.Sides.Store.Put(SyncPair.SourcePrefix + "large", 11 * 1024 * 1024);
        string[] names = ["a", "f", "large"];
        JobOptions options = GetOptions(names.Select(name => GetKey(pair, name, hasHints: name != "a") with { VersionId = $"v-{name}" }));
        JobPlan plan = await pair.PlanAsync(options with { SplitBytes = 10 * 1024 * 1024, Transfer = options.Transfer with { Copy = new CopyOptions { PartSizeBytes = 5 * 1024 * 1024 } } });
        pair.Sides.SetTarget(new Dictionary<string, string> { ["a"] = "new" }); // it is compared with the source, and is already the same

        await pair.RunAllAsync(plan);
        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.True(summary.IsComplete, $"{summary} {string.Join(", ", summary.Failures)}");
        Assert.Equal(1, summary.Already);
        S3Call[] reads = [.. pair.Sides.Store.Calls.Where(call => call.Key.StartsWith(SyncPair.SourcePrefix, StringComparison.Ordinal))];
        Assert.NotEmpty(reads);
        Assert.All(reads, call => Assert.Equal($"v-{call.Key[SyncPair.SourcePrefix.Length..]}", VersionOf(call)));
        Assert.Contains("\"version_id\":\"v-f\"", System.Text.Encoding.UTF8.GetString((await pair.Folder.ReadAllAsync("report.jsonl", CancellationToken.None))!), StringComparison.Ordinal);
    }

    [Fact]
    public async Task TwoVersionsOfOneKey_AreRefused()
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        List<Outcome> refused = [];
        ObjectKey key = GetKey(pair, "a", hasHints: true);
        JobPlan plan = await pair.PlanAsync(GetOptions([key with { VersionId = "1" }, key with { VersionId = "2" }, GetKey(pair, "b", hasHints: true)], FailurePolicy.Continue) with { Refused = refused.Add });
        Assert.EachEqual((1, 1), (plan.Items, plan.Refused));
        Assert.Contains("several of its versions", refused[0].Reason, StringComparison.Ordinal);
    }

    /// <summary>Other calls don't know versions, so they must not ignore them.</summary>
    [Fact]
    public async Task VersionInAnotherCall_IsRefused()
    {
        S3.Put("p/a", 1);
        DirectoryOptions options = new() { Keys = new[] { new ObjectKey { Key = "p/a", VersionId = "1" } }.ToAsyncEnumerable() };
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "p", Folder.Path, options).Within());
        Assert.Contains("the version '1' of s3://bucket/p/a", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("t/a")]
    [InlineData("")]
    public async Task KeyIsNotUnderThePrefix_NothingIsPlanned(string key)
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => pair.PlanAsync(GetOptions([GetKey(pair, "a", hasHints: true), new ObjectKey { Key = key }], FailurePolicy.Continue)));
        Assert.Contains("list of keys", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(pair.Store.Objects, one => one.Key.StartsWith("runs/", StringComparison.Ordinal));
    }

    [Fact]
    public async Task EmptyList_EmptyPlan()
    {
        using JobPair pair = NewPair(SyncDirection.Download);
        JobPlan plan = await pair.PlanAsync(GetOptions([]));
        Assert.Empty(plan.Shards);
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
    }

    /// <summary>Pages of the target answer for many keys, and lookups for few.</summary>
    [Theory]
    [InlineData(0, 1, 1, 1)] // there is no target: one page says so
    [InlineData(3000, 1, 3, 3)] // each page answers for a thousand
    [InlineData(30_000, 1000, 1, 29)] // a page answers for one
    public async Task Targets_AreFoundWithFewRequests(int targets, int step, int pages, int lookups)
    {
        using JobPair pair = NewPair(SyncDirection.Between);
        pair.Store.PageSize = 1000;
        for (int i = 0; i < targets; i++)
        {
            pair.Store.Put($"{SyncPair.TargetPrefix}{i:D5}", "t"u8.ToArray());
        }

        int keys = Math.Max(targets, 3000) / step;
        JobPlan plan = await pair.PlanAsync(GetOptions(Enumerable.Range(0, keys).Select(i => new ObjectKey { Key = $"{SyncPair.SourcePrefix}{i * step:D5}", Length = 1, ETag = "\"e\"" })));

        Assert.Equal(keys, plan.Items);
        S3Call[] calls = [.. pair.Store.Calls.Where(call => call.Key.StartsWith(SyncPair.TargetPrefix, StringComparison.Ordinal))];
        Assert.EachEqual((pages, lookups), (calls.Count(call => call.Operation == S3Call.List), calls.Count(call => call.Operation == S3Call.Head)));
        Assert.Empty(pair.Sides.Store.Calls);
        JobSummary summary = await pair.Job.FinishAsync().Within();
        Assert.Equal(keys, summary.Missing);
    }

    /// <summary>The review of a few targets among many doesn't list all of them.</summary>
    [Fact]
    public async Task Finish_OfFewAmongMany_SkipsTheOthers()
    {
        using JobPair pair = NewPair(SyncDirection.Between);
        pair.Store.PageSize = 1000;
        for (int i = 0; i < 50_000; i++)
        {
            pair.Store.Put($"{SyncPair.TargetPrefix}b{i:D5}", "t"u8.ToArray());
        }

        string[] names = [.. Enumerable.Range(0, 300).Select(i => $"{(i < 150 ? 'a' : 'f')}{i:D3}")]; // few of many, so that none is placed by itself
        pair.Sides.SetSource(names.ToDictionary(name => name, name => name));
        JobPlan plan = await pair.PlanAsync(GetOptions(names.Select(name => GetKey(pair, name, hasHints: true))) with { Shards = 1 });
        await pair.RunAllAsync(plan);
        int before = pair.Store.Calls.Count;
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
        Assert.InRange(pair.Store.Calls.Skip(before).Count(call => call.Operation == S3Call.List && call.Key == SyncPair.TargetPrefix), 1, 10);
    }

    [Fact]
    public async Task TargetCantBeLookedUp_RefusedAndOthersArePlanned()
    {
        using JobPair pair = NewPair(SyncDirection.Between);
        pair.Store.Before = (call, _) => call.Operation == S3Call.Head && call.Key == SyncPair.TargetPrefix + "a" ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        JobPlan plan = await pair.PlanAsync(GetOptions([GetKey(pair, "a", hasHints: true), GetKey(pair, "b", hasHints: true)], FailurePolicy.Continue));
        Assert.EachEqual((1, 1), (plan.Items, plan.Refused));
    }

    [Fact]
    public async Task OptionsThatNeedAListing_AreRefused()
    {
        using JobPair upload = NewPair(SyncDirection.Upload);
        Assert.Contains("the source is a folder", (await Assert.ThrowsAsync<ArgumentException>(() => upload.PlanAsync(GetOptions([])))).Message, StringComparison.Ordinal);
        using JobPair inside = NewPair(SyncDirection.Inside);
        JobOptions sized = GetOptions([]);
        sized = sized with { Transfer = sized.Transfer with { Filter = new ObjectFilter { MinSizeBytes = 1 } } };
        await Assert.ThrowsAsync<ArgumentException>(() => inside.PlanAsync(sized));
    }

    private static ObjectKey GetKey(JobPair pair, string name, bool hasHints)
    {
        string key = SyncPair.SourcePrefix + name;
        return hasHints && pair.Sides.Store.Objects.TryGetValue(key, out FakeObject? there) ? new ObjectKey { Key = key, Length = there.Content.Length, ETag = there.ETag } : new ObjectKey { Key = key };
    }

    private static string? VersionOf(S3Call call) => call.Request switch
    {
        GetObjectRequest get => get.VersionId,
        GetObjectMetadataRequest head => head.VersionId,
        GetObjectAttributesRequest attributes => attributes.VersionId,
        CopyObjectRequest copy => copy.SourceVersionId,
        CopyPartRequest part => part.SourceVersionId,
        GetObjectTaggingRequest tags => tags.VersionId,
        _ => $"of a {call.Operation}",
    };

    private static JobOptions GetOptions(IEnumerable<ObjectKey> keys, FailurePolicy onFailure = FailurePolicy.Abort)
        => new() { Shards = 3, Transfer = new DirectoryOptions { Keys = keys.ToArray().ToAsyncEnumerable(), OnFailure = onFailure } };

    private JobPair NewPair(SyncDirection direction)
    {
        JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2));
        pair.Sides.SetSource(Source);
        return pair;
    }
}
