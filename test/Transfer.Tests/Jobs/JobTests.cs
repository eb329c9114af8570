using System.Net;
using System.Text;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Plans, runs, and ends jobs in every direction.</summary>
public sealed class JobTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "new", ["b"] = "same", ["c/d"] = "other size", ["c/e"] = "1234", ["f"] = "", ["g/h/é"] = "x" };
    private static readonly Dictionary<string, string> Target = new() { ["b"] = "same", ["c/d"] = "x", ["c/e"] = "4321", ["z"] = "stays" };

    private static readonly Dictionary<string, string> Different = new() { ["b"] = "diff" };

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    private static JobOptions Three => new() { Shards = 3 };

    private static JobOptions One => new() { Shards = 1 };

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Job_CopiesEverythingAndLeavesTheRest(SyncDirection direction)
    {
        foreach (bool isLocal in new[] { false, true })
        {
            using JobPair pair = NewPair(direction, isLocal);
            JobPlan plan = await pair.PlanAsync(Three);
            Assert.Equal(SyncTree.Show(Target), SyncTree.Show(pair.Sides.GetTarget()));
            Assert.EachEqual((6, 22, 3), (plan.Items, plan.Bytes, plan.Shards.Count));

            List<JobShardResult> results = await pair.RunAllAsync(plan);

            Assert.All(results, result => Assert.True(result.IsFinished));
            Assert.EachEqual((6, 0, 0, 0), (results.Sum(one => one.Done), results.Sum(one => one.Already), results.Sum(one => one.Conflicts), results.Sum(one => one.Failed)));
            Assert.Equal(SyncTree.Show(With(Source, "z", "stays")), SyncTree.Show(pair.Sides.GetTarget()));
            JobSummary summary = await pair.Job.FinishAsync().Within();
            Assert.True(summary.IsComplete, Show(summary));
            Assert.EachEqual((6, 6, 22), (summary.Items, summary.Done, summary.Bytes));
            Assert.True((await pair.Folder.ReadStatusAsync(Time).Within()).IsComplete);
            Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
            Assert.Equal(6, (await LinesAsync(pair, JobNames.Report)).Length);
            Assert.False((await pair.RunAsync(3)).Exists);
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Sync_CopiesWhatIsDifferentAndDeletesAtTheEnd(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        JobPlan plan = await pair.PlanAsync(new JobOptions { Shards = 2, Transfer = new SyncOptions { Delete = true } });
        Assert.EachEqual((5, 1, 1), (plan.Items, plan.Kept, plan.Deletions));

        JobSummary early = await pair.Job.FinishAsync().Within();
        Assert.EachEqual((5, 1, false), (early.Missing, early.Withheld, early.IsComplete));
        Assert.True(pair.Sides.GetTarget().ContainsKey("z"));
        await pair.RunAllAsync(plan);
        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.True(summary.IsComplete, Show(summary));
        Assert.EachEqual((5, 1), (summary.Done, summary.Deleted));
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.Sides.GetTarget()));
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
    }

    [Fact]
    public async Task Sync_SourceAppearsAfterThePlan_ItsTargetIsNotDeleted()
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        JobPlan plan = await pair.PlanAsync(new JobOptions { Transfer = new SyncOptions { Delete = true } });
        await pair.RunAllAsync(plan);
        pair.Sides.Store.Put(SyncPair.SourcePrefix + "z", "new"u8.ToArray());

        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.EachEqual((0, 1, false), (summary.Deleted, summary.NotDeleted, summary.IsComplete));
        Assert.Equal("stays", pair.Sides.GetTarget()["z"]);
    }

    /// <summary>Empty folders become objects, as with an upload of the folder, and objects become folders again.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task EmptyFolders_AreObjectsIfRequested(bool wanted)
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        foreach (string name in new[] { "empty/inner", "there", "only hidden", "not/empty" })
        {
            Directory.CreateDirectory(pair.Sides.Folder.File(name));
        }

        SyncTree.Write(pair.Sides.Folder, "only hidden/.x", "x");
        SyncTree.Write(pair.Sides.Folder, "not/empty/x", "x");
        pair.Store.Put(SyncPair.TargetPrefix + "there/", []);
        JobOptions options = Three with { Transfer = new DirectoryOptions { EmptyFolders = wanted, IncludeHidden = false } };
        JobPlan plan = await pair.PlanAsync(options);
        Assert.EachEqual((wanted ? 9 : 7, 1), (plan.Items, plan.Kept));
        using TemporaryFolder other = new();
        JobFolder retried = JobFolder.InDirectory(other.Path);
        JobPlan? retry = await pair.Job.PlanRetryAsync(retried).Within();
        Assert.EachEqual((plan.Items, 0), (retry!.Items, retry.Refused));

        // A result that was lost is found done again.
        await pair.RunAllAsync(plan);
        foreach (string key in pair.Store.Objects.Keys.Where(key => key.StartsWith("runs/1/results/", StringComparison.Ordinal)).ToArray())
        {
            pair.Store.Objects.TryRemove(key, out _);
        }

        List<JobShardResult> results = await pair.RunAllAsync(plan);
        Assert.EachEqual((1, plan.Items - 1), (results.Sum(one => one.Done), results.Sum(one => one.Already))); // the target of b had the same content, so it is replaced again
        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.True(summary.IsComplete, Show(summary));
        string[] folders = [.. pair.Store.Objects.Keys.Where(key => key.StartsWith(SyncPair.TargetPrefix, StringComparison.Ordinal) && key.EndsWith('/')).Order(StringComparer.Ordinal)];
        Assert.Equal(wanted ? ["t/empty/inner/", "t/only hidden/", "t/there/"] : ["t/there/"], folders);
        await NewClient(pair.Store.Client).UploadDirectoryAsync(pair.Sides.Folder.Path, FakeS3.Bucket, "cp", options.Transfer as DirectoryOptions).Within();
        string[] copied = [.. pair.Store.Objects.Keys.Where(key => key.StartsWith("cp/", StringComparison.Ordinal) && key.EndsWith('/')).Select(key => "t" + key[2..]).Order(StringComparer.Ordinal)];
        Assert.Equal(wanted ? ["t/empty/inner/", "t/only hidden/", "t/there/"] : [], copied);
    }

    [Fact]
    public async Task EmptyFolderIsDeletedAfterThePlan_Conflict()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        Directory.CreateDirectory(pair.Sides.Folder.File("empty"));
        JobPlan plan = await pair.PlanAsync(Three with { Transfer = new DirectoryOptions { EmptyFolders = true } });
        Directory.Delete(pair.Sides.Folder.File("empty"));
        Assert.Equal(1, (await pair.RunAllAsync(plan)).Sum(one => one.Conflicts));
        await Assert.ThrowsAsync<ArgumentException>(() => pair.PlanAsync(new JobOptions { Transfer = new SyncOptions { EmptyFolders = true } }));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task FinishedShardAgain_CostsTwoRequests(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        await pair.RunAllAsync(await pair.PlanAsync(Three));
        int before = pair.Store.Calls.Count;

        JobShardResult result = await pair.RunAsync(1);

        Assert.True(result.IsFinished);
        Assert.Equal([S3Call.List, S3Call.Get], pair.Store.Calls.Skip(before).Select(call => call.Operation));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task SourceChanged_Conflict(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        await pair.PlanAsync(One);
        pair.Sides.SetSource(new Dictionary<string, string> { ["a"] = "NEW" });
        if (pair.Sides.HasLocalSource)
        {
            File.SetLastWriteTimeUtc(pair.Sides.Folder.File("a"), DateTime.UnixEpoch);
        }

        List<JobFailure> failures = [];
        JobShardResult result = await pair.RunAsync(0, new JobWorkerOptions { ItemFailed = failures.Add });

        Assert.EachEqual((5, 1, 0, false), (result.Done, result.Conflicts, result.Failed, result.IsFinished));
        JobFailure failure = Assert.Single(failures);
        Assert.True(failure.IsConflict, failure.Message);
        Assert.False(pair.Sides.GetTarget().ContainsKey("a"));
        JobSummary summary = await pair.Job.FinishAsync().Within();
        Assert.EachEqual((5, 1, false), (summary.Done, summary.Conflicts, summary.IsComplete));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task TargetChanged_ConflictAndNothingIsOverwritten(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        await pair.PlanAsync(One);
        pair.Sides.SetTarget(new Dictionary<string, string> { ["a"] = "foreign", ["c/d"] = "foreign", ["c/e"] = "1234" });
        if (pair.Sides.HasLocalTarget)
        {
            File.SetLastWriteTimeUtc(pair.Sides.Folder.File("c/d"), DateTime.UnixEpoch);
            File.SetLastWriteTimeUtc(pair.Sides.Folder.File("c/e"), DateTime.UnixEpoch);
        }

        JobShardResult result = await pair.RunAsync(0);

        // The content of c/e is what the item makes, whoever wrote it.
        Assert.EachEqual((3, 1, 2, 0), (result.Done, result.Already, result.Conflicts, result.Failed));
        Assert.Equal("foreign foreign 1234", string.Join(' ', Target.Keys.Prepend("a").Where(name => name is "a" or "c/d" or "c/e").Select(name => pair.Sides.GetTarget()[name])));
        Assert.Equal(2, (await pair.Folder.ReadStatusAsync(Time).Within()).Conflicts);
    }

    /// <summary>Neither the size nor the last-write time shows the change.</summary>
    [LinuxTheory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    public async Task FileIsRewrittenAfterThePlan_Conflict(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        await pair.PlanAsync(One);
        string path = pair.Sides.Folder.File("c/d");
        FileChange.Rewrite(path, new byte[new FileInfo(path).Length]);

        JobShardResult result = await pair.RunAsync(0);

        Assert.EachEqual((5, 1, 0), (result.Done, result.Conflicts, result.Failed));
        Assert.All(File.ReadAllBytes(path), one => Assert.Equal(0, one));
        if (direction == SyncDirection.Upload)
        {
            Assert.Equal(Target["c/d"], pair.Sides.GetTarget()["c/d"]);
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task TwoOwnersOfOneShard_EachEffectOnce(SyncDirection direction)
    {
        for (int seed = 0; seed < 5; seed++)
        {
            using JobPair pair = NewPair(direction);
            pair.Sides.SetTarget(Different); // the same content would get the same ETag, so nobody could tell how often it was written
            await pair.PlanAsync(One);

            JobShardResult[] results = await Task.WhenAll(pair.RunAsync(0), pair.RunAsync(0), pair.RunAsync(0)).Within();

            Assert.EachEqual((0, 0), (results.Sum(one => one.Conflicts), results.Sum(one => one.Failed)));

            // File systems have no condition for a replacement, which the plan says: several owners can write the same bytes.
            Assert.InRange(results.Sum(one => one.Done), 6, pair.Sides.HasLocalTarget ? 18 : 6);
            JobSummary summary = await pair.Job.FinishAsync().Within();
            Assert.True(summary.IsComplete, Show(summary));
            Assert.Equal(SyncTree.Show(With(Source, "z", "stays")), SyncTree.Show(pair.Sides.GetTarget()));
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task KilledAtEveryRequest_RunAgain_EachEffectOnce(SyncDirection direction)
    {
        for (int kill = 1; ; kill++)
        {
            using JobPair pair = NewPair(direction);
            pair.Sides.SetTarget(Different);
            await pair.PlanAsync(One);
            Dictionary<string, object> before = pair.GetEffects();
            int calls = 0;
            pair.Before(_ =>
            {
                if (Interlocked.Increment(ref calls) >= kill)
                {
                    throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed"); // from now on, nothing that the process does has an effect
                }
            });
            Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(0));
            bool wasKilled = calls >= kill;
            pair.Before(null);
            Dictionary<string, object> effects = pair.GetEffects();

            JobShardResult result = await pair.RunAsync(0);

            Assert.True(result.IsFinished, $"kill {kill}: {error}");
            Dictionary<string, object> after = pair.GetEffects();
            string[] twice = [.. effects.Where(one => !(before.TryGetValue(one.Key, out object? former) && former.Equals(one.Value)) && !after[one.Key].Equals(one.Value)).Select(one => one.Key)];
            Assert.True(twice.Length == 0, $"kill {kill}: written twice: {string.Join(", ", twice)}");
            JobSummary summary = await pair.Job.FinishAsync().Within();
            Assert.True(summary.IsComplete, $"kill {kill}: {Show(summary)}");
            Assert.Equal(SyncTree.Show(With(Source, "z", "stays")), SyncTree.Show(pair.Sides.GetTarget()));
            if (!wasKilled)
            {
                Assert.True(kill > 10, "the kills reach every request");
                return;
            }
        }
    }

    [Fact]
    public async Task DamagedResults_AreFoundDoneAgain()
    {
        Random random = new(1);
        for (int round = 0; round < 20; round++)
        {
            using JobPair pair = NewPair(SyncDirection.Inside);
            await pair.PlanAsync(One);
            await pair.RunAsync(0);
            foreach (string key in pair.Store.Objects.Keys.Where(key => key.StartsWith("runs/1/results/", StringComparison.Ordinal)).ToArray())
            {
                byte[] content = pair.Store.Objects[key].Content;
                if (content.Length == 0)
                {
                    continue; // the file that says that the shard is finished
                }

                int at = random.Next(content.Length);
                byte[] damaged = round % 2 == 0 ? content[..at] : [.. content[..at], (byte)(content[at] ^ 0xFF), .. content[(at + 1)..]];
                pair.Store.Put(key, damaged);
            }

            Dictionary<string, object> effects = pair.GetEffects();
            JobSummary summary = await pair.Job.FinishAsync().Within();
            Assert.NotEqual(0, summary.Missing);
            Assert.Equal([0], summary.MissingShards);
            JobShardResult result = await pair.RunAsync(0);

            Assert.True(result.IsFinished);
            Assert.EachEqual((0, 6), (result.Done, result.DoneBefore + result.Already));
            Assert.Equal(effects, pair.GetEffects());
            Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
        }
    }

    [Theory]
    [InlineData("runs/1/plan.json", "is damaged, or isn't the plan of a job")]
    [InlineData("runs/1/shards/", "is damaged, or was replaced")]
    public async Task ReplyIsNotTheStores_NothingIsDone(string file, string message)
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        await pair.PlanAsync(One);
        string key = pair.Store.Objects.Keys.First(key => key.StartsWith(file, StringComparison.Ordinal));
        pair.Store.Put(key, Encoding.UTF8.GetBytes("<html><body>Log in to the network</body></html>"));

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => pair.RunAsync(0));

        Assert.Contains(message, error.Message, StringComparison.Ordinal);
        Assert.Equal(SyncTree.Show(Target), SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Contains(message, (await Assert.ThrowsAsync<TransferException>(() => pair.Job.FinishAsync().Within())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PlanTwice_TheFirstCounts()
    {
        foreach (bool isLocal in new[] { false, true })
        {
            using JobPair pair = NewPair(SyncDirection.Inside, isLocal);
            Task<JobPlan>[] plans = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(() => pair.PlanAsync(Three)))];
            await Record.ExceptionAsync(() => Task.WhenAll(plans));

            Task<JobPlan> winner = Assert.Single(plans, plan => plan.IsCompletedSuccessfully);
            Assert.All(plans.Where(plan => plan != winner), plan => Assert.Contains("already has the plan", plan.Exception!.InnerException!.Message, StringComparison.Ordinal));
            JobPlan plan = await winner;
            Assert.Equal(plan.Id, (await pair.Folder.ReadPlanAsync().Within())!.Id);
            await pair.RunAllAsync(plan);
            Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
            List<string> shards = [];
            await foreach (string name in pair.Folder.ListAsync(JobNames.Shards, CancellationToken.None))
            {
                shards.Add(name);
            }

            Assert.Equal(3, shards.Count);
        }
    }

    /// <summary>The same sides give the same shards, although every plan has an ID of its own.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task SameSides_SameShards(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        using TemporaryFolder other = new();
        JobPlan plan = await pair.PlanAsync(Three);
        JobPlan again = await pair.PlanAsync(Three, JobFolder.InDirectory(other.Path));
        Assert.Equal(plan.Shards, again.Shards);
        Assert.NotEqual(plan.Id, again.Id);
    }

    [Fact]
    public async Task FolderInTheTargetOrTheSource_Refused()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        JobFolder inside = JobFolder.InBucket(NewClient(pair.Store.Client), FakeS3.Bucket, SyncPair.TargetPrefix + "run");
        Assert.Contains("overlap", (await Assert.ThrowsAsync<ArgumentException>(() => pair.PlanAsync(null, inside))).Message, StringComparison.Ordinal);
        Assert.Contains("overlap", (await Assert.ThrowsAsync<ArgumentException>(() => pair.PlanAsync(null, JobFolder.InDirectory(pair.Sides.Folder.File("run"))))).Message, StringComparison.Ordinal);
    }

    [UnixFact]
    public async Task FolderInTheSourceByALink_Refused()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        using TemporaryFolder other = new();
        Directory.CreateSymbolicLink(other.File("link"), pair.Sides.Folder.Path);
        Assert.Contains("overlap", (await Assert.ThrowsAsync<ArgumentException>(() => pair.PlanAsync(null, JobFolder.InDirectory(other.File("link/run"))))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Canceled_ItemsInFlightEndAndTheirResultsCount()
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        await pair.PlanAsync(One);
        using CancellationTokenSource stop = new();
        int copies = 0;
        pair.Before(call =>
        {
            if (call.Operation == S3Call.CopyPart && Interlocked.Increment(ref copies) == 1)
            {
                stop.Cancel();
            }
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => Assert.Fail($"{await pair.RunAsync(0, new JobWorkerOptions { MaxConcurrentObjects = 1, Grace = TimeSpan.FromMinutes(5) }, stop.Token)} after {copies} copies"));

        pair.Before(null);
        JobShardResult result = await pair.RunAsync(0);
        Assert.EachEqual((6, 0), (result.DoneBefore + result.Done, result.Already));
        Assert.InRange(result.DoneBefore, 1, 5);
        Assert.True(result.IsFinished);
    }

    [Fact]
    public async Task Failures_AreTriedAgainByTheSameShardAndByARetry()
    {
        using JobPair pair = NewPair(SyncDirection.Inside);
        using TemporaryFolder other = new();
        JobPlan plan = await pair.PlanAsync(Three);
        pair.Before(call =>
        {
            if (call.Operation == S3Call.CopyPart && call.Key == SyncPair.SourcePrefix + "a")
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }
        });
        List<JobShardResult> results = await pair.RunAllAsync(plan);
        Assert.EachEqual((5, 1), (results.Sum(one => one.Done), results.Sum(one => one.Failed)));
        Assert.Equal(2, results.Count(one => one.IsFinished));
        JobSummary summary = await pair.Job.FinishAsync().Within();
        Assert.EachEqual((1, false), (summary.Failed, summary.IsComplete));
        Assert.Contains("AccessDenied", Assert.Single(summary.Failures).Message, StringComparison.Ordinal);
        JobFolder folder = JobFolder.InDirectory(other.Path);
        JobPlan? retry = await pair.Job.PlanRetryAsync(folder).Within();
        Assert.Equal(1, retry!.Items);

        pair.Before(null);
        TransferClient client = NewClient(pair.Store.Client);
        Assert.True((await new TransferJob(client, folder).RunAsync(0).Within()).IsFinished);
        Assert.True((await new TransferJob(client, folder).FinishAsync().Within()).IsComplete);

        // The first job finds what the retry has done.
        results = await pair.RunAllAsync(plan);
        Assert.Equal(1, results.Sum(one => one.Already));
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
        using TemporaryFolder third = new();
        Assert.Null(await pair.Job.PlanRetryAsync(JobFolder.InDirectory(third.Path)).Within());
    }

    [Fact]
    public async Task TargetChangedAfterTheRun_FinishSaysSo()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        await pair.RunAllAsync(await pair.PlanAsync(Three));
        pair.Store.Put(SyncPair.TargetPrefix + "c/e", "5678"u8.ToArray());
        pair.Store.Objects.TryRemove(SyncPair.TargetPrefix + "f", out _);

        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.EachEqual((4, 2, false), (summary.Done, summary.Changed, summary.IsComplete));
    }

    /// <summary>
    /// A worker is killed while it uploads. Its upload is aborted if it was open when results were written. Those of other programs to the same keys stay.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task UploadOfAKilledWorker_IsAbortedIfTheResultsNameIt(bool isRecorded)
    {
        const int MiB = 1024 * 1024;
        using JobPair pair = NewPair(SyncDirection.Upload);
        pair.Store.HasManyUploads = true;
        await File.WriteAllBytesAsync(pair.Sides.Folder.File("large"), Sample.Bytes(12 * MiB));
        UploadOptions upload = new() { PartSizeBytes = 5 * MiB, MultipartThresholdBytes = 5 * MiB, Resume = false };
        await pair.PlanAsync(One with { Transfer = new DirectoryOptions { Upload = upload } });
        string key = SyncPair.TargetPrefix + "large";
        bool isKilled = false;
        pair.Store.Before = async (call, token) =>
        {
            if (call is { Operation: S3Call.UploadPart, Part: 2 } && !isKilled)
            {
                if (isRecorded)
                {
                    Time.Advance(ResultLog.FlushInterval);
                    await Task.Run(() => SpinWait.SpinUntil(() => pair.Store.Objects.Keys.Any(static one => one.StartsWith("runs/1/results/", StringComparison.Ordinal))), token).Within();
                }

                isKilled = true;
            }

            if (isKilled)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed");
            }
        };
        await Record.ExceptionAsync(() => pair.RunAsync(0));
        pair.Store.Before = null;
        UnfinishedUpload left = Assert.Single(pair.Store.Unfinished);
        DateTimeOffset now = Time.GetUtcNow();
        lock (pair.Store.Unfinished)
        {
            pair.Store.Unfinished.Add(new UnfinishedUpload { Key = key, UploadId = "of another program", Initiated = now });
            pair.Store.Unfinished.Add(new UnfinishedUpload { Key = SyncPair.TargetPrefix + "a", UploadId = "before the plan", Initiated = now - TimeSpan.FromHours(1) });
            pair.Store.Unfinished.Add(new UnfinishedUpload { Key = SyncPair.TargetPrefix + "no item", UploadId = "of another key", Initiated = now });
        }

        Assert.True((await pair.RunAsync(0)).IsFinished);
        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.True(summary.IsComplete, Show(summary));
        Assert.EachEqual((isRecorded ? 1 : 0, 1), (summary.AbortedUploads, summary.OtherUploads));
        Assert.Equal(!isRecorded, pair.Store.Unfinished.Contains(left));
        Assert.Equal(isRecorded ? 3 : 4, pair.Store.Unfinished.Count);
    }

    private static Dictionary<string, string> With(Dictionary<string, string> tree, string name, string content) => new(tree) { [name] = content };

    private static string Show(JobSummary summary) => $"{summary} {string.Join(", ", summary.Failures)}";

    private static async Task<string[]> LinesAsync(JobPair pair, string name)
        => Encoding.UTF8.GetString((await pair.Folder.ReadAllAsync(name, CancellationToken.None))!).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private JobPair NewPair(SyncDirection direction, bool isLocal = false)
    {
        JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2), isLocal);
        pair.Sides.Store.PageSize = pair.Sides.Target.PageSize = 2;
        pair.Sides.SetSource(Source);
        pair.Sides.SetTarget(Target);
        return pair;
    }
}
