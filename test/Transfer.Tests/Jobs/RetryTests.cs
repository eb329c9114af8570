using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A job that plans again what another one has not done.</summary>
public sealed class RetryTests : TransferTest
{
    private static readonly string[] Names = ["a", "b", "c", "d/e", "d/f", "g", "h"];
    private static readonly string[] Gone = ["y", "z"];

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    private static JobOptions Mirror => new() { Shards = 3, Transfer = new SyncOptions { Delete = true, MaxDelete = DeletionLimit.Percent(100), Comparison = SyncComparison.Content } };

    /// <summary>
    /// Whatever happens to sources, targets, workers, and shards, and however often a retry is retried: no job deletes while an object of the first plan has never been copied,
    /// and once others leave everything alone, the last job does all of it.
    /// </summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Deletions_WaitForEveryObjectOfTheFirstPlan(SyncDirection direction)
    {
        int seeds = LongTests.Choose(full: 250, quick: 25);
        for (int seed = 0; seed < seeds; seed++)
        {
            Random random = new((seed * 4) + (int)direction);
            using JobPair pair = NewPair(direction, random);
            List<TemporaryFolder> folders = [];
            try
            {
                await RunAsync(pair, folders, random, $"seed {seed} {direction}");
            }
            finally
            {
                folders.ForEach(static folder => folder.Dispose());
            }
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Conflicts_ArePlannedAgainAsTheyAreNow(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        using TemporaryFolder other = new();
        JobPlan plan = await pair.PlanAsync(Mirror);
        SetSource(pair, "a", "other source of a");
        SetTarget(pair, "b", "foreign b");
        await pair.RunAllAsync(plan);
        SetTarget(pair, "c", "foreign c, written after c was done");
        JobSummary summary = await pair.Job.FinishAsync().Within();
        Assert.EachEqual((2, 1, 2, false), (summary.Conflicts, summary.Changed, summary.Withheld, summary.IsComplete));

        JobPlan? retry = await pair.Job.PlanRetryAsync(JobFolder.InDirectory(other.Path)).Within();

        Assert.EachEqual((3, 2, 0), (retry!.Items, retry.Deletions, retry.Refused));
        TransferJob job = pair.Open(JobFolder.InDirectory(other.Path));
        await RunAllAsync(job, retry);
        summary = await job.FinishAsync().Within();
        Assert.EachEqual((3, 2, true), (summary.Done, summary.Deleted, summary.IsComplete));
        Assert.Equal(SyncTree.Show(pair.Sides.GetSource()), SyncTree.Show(pair.Sides.GetTarget()));
    }

    /// <summary>A job that leaves targets alone doesn't replace in a retry what others have created since it was planned.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task SkipExisting_TargetsThatWereCreatedSinceThePlanAreLeftAlone(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        using TemporaryFolder other = new();
        using TemporaryFolder third = new();
        JobPlan plan = await pair.PlanAsync(new JobOptions { Shards = 1, Transfer = new DirectoryOptions { SkipExisting = true } });
        Assert.EachEqual((5, 2), (plan.Items, plan.Kept));
        SetTarget(pair, "a", "foreign");
        JobPlan? retry = await pair.Job.PlanRetryAsync(JobFolder.InDirectory(other.Path)).Within();
        Assert.EachEqual((4, 1), (retry!.Items, retry.Kept));

        await pair.RunAllAsync(plan);

        Assert.Equal(1, (await pair.Job.FinishAsync().Within()).Conflicts);
        SetTarget(pair, "b", "foreign, written after b was done");
        Assert.Null(await pair.Job.PlanRetryAsync(JobFolder.InDirectory(third.Path)).Within());
        TransferJob job = pair.Open(JobFolder.InDirectory(other.Path));
        using TemporaryFolder fourth = new();
        Assert.Null(await job.PlanRetryAsync(JobFolder.InDirectory(fourth.Path)).Within());
        Assert.Equal("foreign", pair.Sides.GetTarget()["a"]);
    }

    /// <summary>An object whose source is gone has no result in any job, so nothing is deleted.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task SourceIsGone_StaysAConflictAndNothingIsDeleted(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        using TemporaryFolder second = new();
        using TemporaryFolder third = new();
        JobPlan plan = await pair.PlanAsync(Mirror);
        RemoveSource(pair, "a");
        await pair.RunAllAsync(plan);
        TransferJob job = pair.Job;
        foreach (TemporaryFolder folder in new[] { second, third })
        {
            JobPlan? retry = await job.PlanRetryAsync(JobFolder.InDirectory(folder.Path)).Within();
            Assert.EachEqual((1, 2), (retry!.Items, retry.Deletions));
            job = pair.Open(JobFolder.InDirectory(folder.Path));
            await RunAllAsync(job, retry);
            JobSummary summary = await job.FinishAsync().Within();
            Assert.EachEqual((1, 2, 0, false), (summary.Conflicts, summary.Withheld, summary.Deleted, summary.IsComplete));
            Assert.EndsWith("a was deleted after the job was planned.", Assert.Single(summary.Failures).Message, StringComparison.Ordinal);
        }

        Assert.All(Gone, name => Assert.True(pair.Sides.GetTarget().ContainsKey(name)));
    }

    /// <summary>What the first plan had to leave out is left out of the retry, too, and isn't forgotten.</summary>
    [Fact]
    public async Task RefusedNames_AreCarriedAndAloneAreAnError()
    {
        using JobPair pair = NewPair(SyncDirection.Download);
        using TemporaryFolder second = new();
        using TemporaryFolder third = new();
        pair.Sides.Store.Put(SyncPair.SourcePrefix + "x/../../escaped", "x"u8.ToArray());
        JobPlan plan = await pair.PlanAsync(Mirror with { Transfer = Mirror.Transfer with { OnFailure = FailurePolicy.Continue } });
        Assert.EachEqual((1, 0, 2), (plan.Refused, plan.Deletions, plan.Withheld));
        JobFolder again = JobFolder.InDirectory(second.Path);
        JobPlan? retry = await pair.Job.PlanRetryAsync(again).Within();
        Assert.EachEqual((Names.Length, 1, 0, 2), (retry!.Items, retry.Refused, retry.Deletions, retry.Withheld));

        TransferJob job = pair.Open(again);
        await RunAllAsync(job, retry);
        JobSummary summary = await job.FinishAsync().Within();
        Assert.EachEqual((Names.Length, 1, 2, false), (summary.Done, summary.Refused, summary.Withheld, summary.IsComplete));
        Assert.Contains("left out", (await Assert.ThrowsAsync<TransferException>(() => job.PlanRetryAsync(JobFolder.InDirectory(third.Path)).Within())).Message, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(third.Path));
    }

    /// <summary>The message of a conflict says which side has changed, and how.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Conflict_SaysWhatHasChanged(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        JobPlan plan = await pair.PlanAsync(new JobOptions { Shards = 1 });
        SetSource(pair, "a", "another content");
        RemoveSource(pair, "b");
        SetTarget(pair, "c", "foreign, of another size");
        SetTarget(pair, "h", "foreign, of another size");
        RemoveTarget(pair, "g");
        SetSource(pair, "d/e", "another content");
        SetTarget(pair, "d/e", "foreign");
        List<JobFailure> failures = [];

        await pair.RunAsync(0, new JobWorkerOptions { ItemFailed = failures.Add });

        Assert.Equal(6, plan.Items - (await pair.Folder.ReadStatusAsync(Time).Within()).Done);
        string replaced = pair.Sides.HasLocalSource ? "changed" : "replaced";
        (string source, string target) = (plan.Source.ToString().TrimEnd('/') + "/", plan.Target.ToString().TrimEnd('/') + "/");
        Assert.Equal(
            new Dictionary<string, string>
            {
                ["a"] = $"{source}a was {replaced} after the job was planned.",
                ["b"] = $"{source}b was deleted after the job was planned.",
                ["c"] = $"{target}c was created after the job was planned.",
                ["d/e"] = $"{source}d/e was {replaced} after the job was planned. {target}d/e was created after the job was planned.",
                ["g"] = $"{target}g was deleted after the job was planned.",
                ["h"] = $"{target}h was replaced after the job was planned.",
            },
            failures.ToDictionary(failure => failure.Name[target.Length..], failure => failure.Message));
    }

    /// <summary>A huge object that isn't done is planned again as a whole, whatever the reason is, and the deletions wait for it.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task HugeObject_ConflictOrChange_IsPlannedAgain(SyncDirection direction)
    {
        foreach (bool isChangedAtTheEnd in new[] { false, true })
        {
            using HugePair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2));
            using TemporaryFolder other = new();
            pair.Jobs.Sides.SetTarget(new Dictionary<string, string> { ["z"] = "stays" });
            JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options with { Transfer = Mirror.Transfer with { Copy = HugePair.Options.Transfer.Copy } });
            if (isChangedAtTheEnd)
            {
                await pair.Jobs.RunAllAsync(plan);
                Assert.Contains("Finish the job", (await Assert.ThrowsAsync<TransferException>(() => pair.Jobs.Job.PlanRetryAsync(JobFolder.InDirectory(other.Path)).Within())).Message, StringComparison.Ordinal);
                pair.PutTarget(isSame: false);
            }
            else
            {
                pair.ChangeSource();
                await pair.Jobs.RunAllAsync(plan);
            }

            JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();
            Assert.EachEqual((1, 1, 1, 0), (summary.Done, summary.Conflicts, summary.Withheld, summary.Deleted));
            JobFolder folder = JobFolder.InDirectory(other.Path);
            JobPlan? retry = await pair.Jobs.Job.PlanRetryAsync(folder, shards: 1).Within();
            Assert.EachEqual((3, 1, 1, 1), (retry!.Items, retry.Objects, retry.SplitObjects, retry.Deletions));

            TransferJob job = pair.Jobs.Open(folder);
            Assert.Equal(1, (await job.FinishAsync().Within()).Withheld);
            Assert.True((await job.RunAsync(0).Within()).IsFinished);
            summary = await job.FinishAsync().Within();
            Assert.EachEqual((1, 1, true), (summary.Done, summary.Deleted, summary.IsComplete));
            Assert.False(pair.Store.Objects.ContainsKey(SyncPair.TargetPrefix + "z"));

            // Somebody replaces the target of a huge object that is complete.
            pair.PutTarget(isSame: false);
            using TemporaryFolder third = new();
            Assert.Equal(1, (await job.FinishAsync().Within()).Changed);
            Assert.Equal(1, (await job.PlanRetryAsync(JobFolder.InDirectory(third.Path)).Within())!.Objects);
        }
    }

    private static async Task RunAsync(JobPair pair, List<TemporaryFolder> folders, Random random, string about)
    {
        JobPlan? plan = await pair.PlanAsync(Mirror);
        HashSet<string> copied = [];
        JobFolder folder = pair.Folder;
        int rounds = random.Next(1, 4);
        for (int round = 0; round < rounds + 4; round++)
        {
            TransferJob job = pair.Open(folder);
            bool isQuiet = round >= rounds;
            HashSet<string> failing = isQuiet ? [] : Interfere(pair, random, round);
            pair.Before(call =>
            {
                if (failing.Any(name => call.Key?.EndsWith("/" + name, StringComparison.Ordinal) == true) && call.Operation is S3Call.CopyPart or S3Call.Put or S3Call.Get)
                {
                    throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
                }
            });
            for (int shard = 0; shard < plan!.Shards.Count; shard++)
            {
                if (isQuiet || random.Next(4) > 0)
                {
                    await job.RunAsync(shard).Within();
                }
            }

            pair.Before(null);
            if (isQuiet)
            {
                foreach (string name in Names.Except(pair.Sides.GetSource().Keys))
                {
                    SetSource(pair, name, $"source of {name}, which is back");
                }
            }

            copied.UnionWith(pair.Sides.GetTarget().Where(static one => one.Value.StartsWith("source", StringComparison.Ordinal)).Select(static one => one.Key));
            JobSummary summary = await job.FinishAsync().Within();
            string[] deleted = [.. Gone.Except(pair.Sides.GetTarget().Keys)];
            Assert.True(deleted.Length == 0 || copied.IsSupersetOf(Names), $"{about}: job {round} has deleted {string.Join(", ", deleted)}, and {string.Join(", ", Names.Except(copied))} was never copied. {summary}");
            Assert.Equal(deleted.Length == Gone.Length, summary.IsComplete);
            TemporaryFolder next = new();
            folders.Add(next);
            folder = JobFolder.InDirectory(next.Path);
            plan = await job.PlanRetryAsync(folder, random.Next(1, 4)).Within();
            Assert.Equal(summary.IsComplete, plan is null);
            if (plan is null)
            {
                Assert.True(copied.IsSupersetOf(Names), about);
                return;
            }
        }

        Assert.Fail($"{about}: the job never ends");
    }

    /// <summary>Others change both sides.</summary>
    /// <returns>The names whose copies fail.</returns>
    private static HashSet<string> Interfere(JobPair pair, Random random, int round)
    {
        HashSet<string> failing = [];
        foreach (string name in Names)
        {
            switch (random.Next(12))
            {
                case 0:
                    SetSource(pair, name, $"source of {name} after round {round}");
                    break;
                case 1:
                    RemoveSource(pair, name);
                    break;
                case 2:
                    SetTarget(pair, name, $"foreign {name} after round {round}");
                    break;
                case 3:
                    RemoveTarget(pair, name);
                    break;
                case 4:
                    failing.Add(name);
                    break;
            }
        }

        return failing;
    }

    private static async Task RunAllAsync(TransferJob job, JobPlan plan)
    {
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            await job.RunAsync(shard).Within();
        }
    }

    private static void SetSource(JobPair pair, string name, string content) => pair.Sides.SetSource(new Dictionary<string, string> { [name] = content });

    private static void SetTarget(JobPair pair, string name, string content) => pair.Sides.SetTarget(new Dictionary<string, string> { [name] = content });

    private static void RemoveSource(JobPair pair, string name) => Remove(pair.Sides.HasLocalSource ? pair.Sides.Folder : null, pair.Sides.Store, SyncPair.SourcePrefix, name);

    private static void RemoveTarget(JobPair pair, string name) => Remove(pair.Sides.HasLocalTarget ? pair.Sides.Folder : null, pair.Store, SyncPair.TargetPrefix, name);

    private static void Remove(TemporaryFolder? folder, FakeS3 store, string prefix, string name)
    {
        if (folder is not null)
        {
            if (File.Exists(folder.File(name)))
            {
                File.Delete(folder.File(name));
            }
        }
        else
        {
            store.Objects.TryRemove(prefix + name, out _);
        }
    }

    private JobPair NewPair(SyncDirection direction, Random? random = null)
    {
        JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2));
        pair.Sides.SetSource(Names.ToDictionary(static name => name, static name => $"source of {name}"));
        pair.Sides.SetTarget(Gone.Concat(random is null ? ["g", "h"] : Names.Where(_ => random.Next(3) == 0)).ToDictionary(static name => name, static name => $"old {name}"));
        return pair;
    }
}
