using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Jobs whose end publishes everything at once.</summary>
public sealed class JobPublishTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "new", ["b"] = "same", ["c/d"] = "other size", ["c/e"] = "1234", ["f"] = "", ["index.html"] = "x" };
    private static readonly Dictionary<string, string> Target = new() { ["b"] = "same", ["c/d"] = "x", ["c/e"] = "4321", ["z"] = "gone" };

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Inside, SyncDirection.Between];

    private static JobOptions AllAtOnce => new() { Shards = 2, Transfer = new SyncOptions { Publish = PublishMode.AllAtOnce, Delete = true } };

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Finish_PublishesEverythingAtOnce(SyncDirection direction)
    {
        using JobPair pair = NewPair(direction);
        JobPlan plan = await pair.PlanAsync(AllAtOnce);
        Assert.EachEqual((true, 5L, 5L), (plan.PublishesAllAtOnce, plan.Objects, plan.Pieces));
        Assert.True((await pair.RunAsync(0)).IsFinished);

        JobSummary early = await pair.Job.FinishAsync().Within();

        Assert.EachEqual((0L, true, true, 1L, (TimeSpan?)null), (early.Done, early.Missing > 0, early.Unpublished > 0, early.Withheld, early.PublishWindow));
        await pair.RunAllAsync(plan);
        Assert.Equal(SyncTree.Show(Target), SyncTree.Show(pair.Sides.GetTarget()));
        JobSummary preview = await pair.Job.PreviewFinishAsync().Within();
        JobSummary summary = await pair.Job.FinishAsync().Within();
        Assert.EachEqual((true, 5L, 1L, true), (summary.IsComplete, summary.Done, summary.Deleted, summary.PublishWindow is not null));
        Assert.EachEqual((5L, 1L), (preview.Completions, preview.Deleted));
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal("t/index.html", pair.Store.Calls.Last(call => call.Operation == S3Call.Complete).Key);
        Assert.False(pair.Store.HasOpenUpload);

        int before = pair.Store.Calls.Count;
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
        Assert.DoesNotContain(pair.Store.Calls.Skip(before), call => call.Operation is S3Call.Complete or S3Call.Create);
    }

    [Fact]
    public async Task TargetHasChangedSinceThePlan_NothingIsPublished()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        JobPlan plan = await pair.PlanAsync(AllAtOnce);
        await pair.RunAllAsync(plan);
        pair.Store.Put("t/c/e", "by somebody else"u8.ToArray());

        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.EachEqual((1L, 4L, 0L, false), (summary.Conflicts, summary.Unpublished, summary.Done, summary.IsComplete));
        Assert.Equal("b=same c/d=x c/e=by somebody else z=gone", SyncTree.Show(pair.Sides.GetTarget()));
        TransferException refused = await Assert.ThrowsAsync<TransferException>(() => pair.Job.PlanRetryAsync(JobFolder.InDirectory(Folder.File("retry"))));
        Assert.Contains("publishes all objects at once", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task StoreIsBusy_EntryFilesWaitForTheNextEnd()
    {
        using JobPair pair = NewPair(SyncDirection.Upload);
        await pair.RunAllAsync(await pair.PlanAsync(AllAtOnce));
        bool isBusy = true;
        pair.Before(call =>
        {
            if (isBusy && call is { Operation: S3Call.Complete, Key: "t/a" })
            {
                throw FakeS3.Error(System.Net.HttpStatusCode.ServiceUnavailable, "SlowDown");
            }
        });

        JobSummary summary = await pair.Job.FinishAsync().Within();

        Assert.EachEqual((3L, 1L, 1L, 1L, false), (summary.Done, summary.Failed, summary.Unpublished, summary.Withheld, summary.IsComplete));
        Assert.DoesNotContain("index.html", pair.Sides.GetTarget().Keys);
        isBusy = false;
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.Sides.GetTarget()));
        Assert.Equal("t/index.html", pair.Store.Calls.Last(call => call.Operation == S3Call.Complete).Key);
    }

    /// <summary>From a request of the end of the job on, nothing has an effect. Then the job ends again.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task EndedAtAnyRequest_TheNextEndGoesForward(SyncDirection direction)
    {
        bool isInterrupted = true;
        for (int at = 1; isInterrupted; at += LongTests.Choose(full: 1, quick: 3))
        {
            using JobPair pair = NewPair(direction);
            await pair.RunAllAsync(await pair.PlanAsync(AllAtOnce));
            int requests = 0;
            int completed = 0;
            isInterrupted = false;
            pair.Before(call =>
            {
                if (Interlocked.Increment(ref requests) >= at)
                {
                    isInterrupted = true;
                    throw new HttpRequestException("the network is gone");
                }

                completed += call.Operation == S3Call.Complete ? 1 : 0;
            });
            _ = await Record.ExceptionAsync(() => pair.Job.FinishAsync().Within());
            Assert.True(completed > 0 || SyncTree.Show(Target) == SyncTree.Show(pair.Sides.GetTarget()), $"{at}: {SyncTree.Show(pair.Sides.GetTarget())}");
            pair.Before(null);

            JobSummary summary = await pair.Job.FinishAsync().Within();

            Assert.True(summary is { IsComplete: true, Done: 5 }, $"{at}: {summary}");
            Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.Sides.GetTarget()));
            Assert.False(pair.Store.HasOpenUpload, $"{at}");
        }
    }

    private JobPair NewPair(SyncDirection direction)
    {
        JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 1));
        pair.Store.HasManyUploads = true;
        pair.Sides.SetSource(Source);
        pair.Sides.SetTarget(Target);
        return pair;
    }
}
