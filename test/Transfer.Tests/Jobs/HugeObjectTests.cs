using System.Collections.Concurrent;
using System.Net;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Copies huge objects in pieces, in every direction that can divide them.</summary>
public sealed class HugeObjectTests : TransferTest
{
    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Inside, SyncDirection.Between];

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Job_CopiesPiecesAndCompletesTheObjectAtTheEnd(SyncDirection direction)
    {
        foreach (bool isLocal in new[] { false, true })
        {
            using HugePair pair = NewPair(direction, isLocal);
            JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
            Assert.EachEqual((4, 3, 1, 0, 2), (plan.Items, plan.Pieces, plan.SplitObjects, plan.UnsplitObjects, plan.Objects));
            Assert.EachEqual((HugePair.Length + 1, 3), (plan.Bytes, plan.Shards.Count));

            List<JobShardResult> results = await pair.Jobs.RunAllAsync(plan);

            Assert.All(results, result => Assert.True(result.IsFinished));
            Assert.EachEqual((4, 3, HugePair.Length + 1), (results.Sum(one => one.Done), results.Sum(one => one.DonePieces), results.Sum(one => one.Bytes)));
            Assert.Null(pair.Target);
            Assert.Single(pair.Store.Calls, call => call.Operation == S3Call.Create && call.Key == HugePair.Key);
            JobStatus status = await pair.Jobs.Folder.ReadStatusAsync(Time).Within();
            Assert.EachEqual((true, HugePair.Length + 1), (status.IsComplete, status.Bytes));

            JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

            Assert.True(summary.IsComplete, Show(summary));
            Assert.EachEqual((2, 2, HugePair.Length + 1), (summary.Items, summary.Done, summary.Bytes));
            pair.ExpectWhole();
            FakeObject target = pair.Target!;
            string[] lines = await LinesAsync(pair, JobNames.Report);
            Assert.Equal(2, lines.Length);
            Assert.Contains(lines, line => line.Contains("\"verdict\":\"verified\",\"algorithm\":\"crc64nvme\"", StringComparison.Ordinal) && line.Contains("huge", StringComparison.Ordinal));

            // It can be repeated, and then only looks.
            int before = pair.Store.Calls.Count;
            Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
            Assert.DoesNotContain(pair.Store.Calls.Skip(before), call => call.Operation is S3Call.Complete or S3Call.Create or S3Call.Abort);
            Assert.Same(target, pair.Target);
        }
    }

    [Fact]
    public async Task ToAFolder_OneWorkerCopiesTheWholeObject()
    {
        using HugePair pair = NewPair(SyncDirection.Download);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        Assert.EachEqual((2, 0, 0, 1), (plan.Items, plan.Pieces, plan.SplitObjects, plan.UnsplitObjects));
        await pair.Jobs.RunAllAsync(plan);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        Assert.Equal(HugePair.Length, new FileInfo(pair.Jobs.Sides.Folder.File(HugePair.Name)).Length);
    }

    [Fact]
    public async Task SourceWithoutAStrongETag_OneWorkerCopiesTheWholeObject()
    {
        using HugePair pair = NewPair(SyncDirection.Inside);
        string key = SyncPair.SourcePrefix + HugePair.Name;
        pair.Store.Objects[key] = pair.Store.Objects[key] with { ETag = "W/\"weak\"" };
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        Assert.EachEqual((0, 1), (plan.Pieces, plan.UnsplitObjects));
    }

    /// <summary>From a request on, nothing that the workers and the end of the job do has an effect, until all of them run again.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task KilledAtEveryRequest_RunAgain_OneWholeObject(SyncDirection direction)
    {
        int step = LongTests.Choose(full: 2, quick: 5);
        for (int kill = 1; ; kill += step)
        {
            using HugePair pair = NewPair(direction);
            JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
            int calls = 0;
            pair.Jobs.Before(_ =>
            {
                if (Interlocked.Increment(ref calls) >= kill)
                {
                    throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed");
                }
            });
            await RunAndFinishAsync(pair, plan);
            bool wasKilled = calls >= kill;
            pair.Jobs.Before(null);
            FakeObject? published = pair.Target;

            await pair.Jobs.RunAllAsync(plan);
            JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

            Assert.True(summary.IsComplete, $"kill {kill}: {Show(summary)}");
            Assert.True(published is null || ReferenceEquals(published, pair.Target), $"kill {kill}: written twice");
            pair.ExpectContent();
            pair.ExpectNoPartIsOpen(summary);
            Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
            if (!wasKilled)
            {
                Assert.True(kill > 15, "the kills reach every request");
                return;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task TwoOwnersOfEachPiece_OneUploadAndOneObject(SyncDirection direction)
    {
        using HugePair pair = NewPair(direction);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);

        // Nobody sends a part before all have looked for the upload, so that several create one.
        TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        int creations = 0;
        pair.Store.Before = (call, token) =>
        {
            bool creates = call.Operation == S3Call.Create && call.Key == HugePair.Key;
            if (creates && Interlocked.Increment(ref creations) == 4)
            {
                all.TrySetResult();
            }

            return creates ? all.Task.WaitAsync(token) : Task.CompletedTask;
        };
        int[] shards = await ShardsOfPiecesAsync(pair, plan);
        JobShardResult[] results = await Task.WhenAll(shards.Concat(shards).Concat(shards).Select(shard => pair.Jobs.RunAsync(shard))).Within();
        pair.Jobs.Before(null);

        Assert.All(results, result => Assert.True(result.IsFinished));
        Assert.Single(pair.Store.Unfinished);
        await pair.Jobs.RunAllAsync(plan);
        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();
        Assert.True(summary.IsComplete, Show(summary));
        pair.ExpectWhole();
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task StoppedPiece_SkipsThePartsThatItHasSent(SyncDirection direction)
    {
        using HugePair pair = new(direction, s3 => NewClient(s3.Client, options => (options.MaxAttempts, options.MaxConcurrency) = (2, 1)));
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        int sent = 0;
        pair.Jobs.Before(call =>
        {
            if (call.Operation is S3Call.UploadPart or S3Call.CopyPart && call.Part == 2)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed");
            }
        });
        List<JobShardResult> first = await pair.Jobs.RunAllAsync(plan);
        Assert.EachEqual((3, 1), (first.Sum(one => one.Done), first.Sum(one => one.Failed)));
        JobStatus status = await pair.Jobs.Folder.ReadStatusAsync(Time).Within();
        Assert.EachEqual((3, HugePair.Length + 1 - (5 * 1024 * 1024)), (status.Done, status.Bytes));
        JobSummary early = await pair.Jobs.Job.FinishAsync().Within();
        Assert.EachEqual((1, 1, false), (early.Done, early.Failed, early.IsComplete));
        Assert.Null(pair.Target);

        pair.Jobs.Before(call => sent += call.Operation is S3Call.UploadPart or S3Call.CopyPart ? 1 : 0);
        List<JobShardResult> second = await pair.Jobs.RunAllAsync(plan);
        pair.Jobs.Before(null);

        Assert.EachEqual((1, 1, 5L * 1024 * 1024), (sent, second.Sum(one => one.Done), second.Sum(one => one.Bytes)));
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        pair.ExpectWhole();
    }

    /// <summary>A worker that was stopped for a long time sends a part after others have done its piece and the object is complete.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task WokenAfterTheEnd_DoesNoHarm(SyncDirection direction)
    {
        using HugePair pair = NewPair(direction);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        TaskCompletionSource stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource woken = new(TaskCreationOptions.RunContinuationsAsynchronously);
        pair.Store.Before = async (call, token) =>
        {
            if (SendsFirstPart(call) && stopped.TrySetResult())
            {
                await woken.Task.WaitAsync(token);
            }
        };
        int shard = (await ShardsOfPiecesAsync(pair, plan, part: 1)).Single();
        Task<JobShardResult> straggler = pair.Jobs.RunAsync(shard);
        await stopped.Task.Within();
        await pair.Jobs.RunAllAsync(plan);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        FakeObject target = pair.Target!;

        woken.SetResult();
        JobShardResult late = await straggler;

        Assert.True(late.IsFinished);
        Assert.EachEqual((0, 0), (late.Failed, late.Conflicts));
        Assert.Same(target, pair.Target);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        pair.ExpectWhole();
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ResponseToTheCompletionIsLost_TheObjectTells(SyncDirection direction)
    {
        foreach (HttpStatusCode status in new[] { HttpStatusCode.InternalServerError, HttpStatusCode.Forbidden })
        {
            using HugePair pair = NewPair(direction);
            await pair.PlanAndRunAsync();
            bool isLost = false;
            pair.Store.Completed = call =>
            {
                if (call.Key == HugePair.Key && !isLost)
                {
                    isLost = true;
                    throw FakeS3.Error(status, "InternalError");
                }
            };

            JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

            Assert.True(isLost);
            Assert.True(summary.IsComplete, Show(summary));
            pair.ExpectWhole();
        }
    }

    /// <summary>A store or credentials that can't list parts check them at the end. A store that fails hasn't checked anything.</summary>
    [Theory]
    [InlineData(HttpStatusCode.Forbidden, true)]
    [InlineData(HttpStatusCode.MethodNotAllowed, true)]
    [InlineData(HttpStatusCode.NotImplemented, true)]
    [InlineData(HttpStatusCode.InternalServerError, false)]
    [InlineData(HttpStatusCode.BadRequest, false)]
    public async Task PartsCannotBeListed_OnlyARefusalIsAccepted(HttpStatusCode status, bool isAccepted)
    {
        using HugePair pair = NewPair(SyncDirection.Upload);
        await pair.PlanAndRunAsync();
        pair.Jobs.Before(call =>
        {
            if (call.Operation == S3Call.ListParts)
            {
                throw FakeS3.Error(status, "Refused");
            }
        });

        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

        Assert.EachEqual((isAccepted, isAccepted ? 0 : 1), (summary.IsComplete, summary.Failed));
        Assert.Equal(isAccepted, pair.Target is not null);
        pair.Jobs.Before(null);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        pair.ExpectWhole();
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task SourceChangesBetweenParts_ConflictAndNothingIsPublished(SyncDirection direction)
    {
        using HugePair pair = NewPair(direction);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        bool isChanged = false;
        pair.Jobs.Before(call =>
        {
            if (SendsFirstPart(call) && !isChanged)
            {
                isChanged = true;
                pair.ChangeSource();
            }
        });

        List<JobShardResult> results = await pair.Jobs.RunAllAsync(plan);

        Assert.True(results.Sum(one => one.Conflicts) > 0);
        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();
        Assert.EachEqual((1, 1, false), (summary.Done, summary.Conflicts, summary.IsComplete));
        Assert.Null(pair.Target);
        Assert.Equal(1, await pair.Jobs.Job.AbandonAsync().Within());
        pair.ExpectNoUpload();
    }

    [Theory]
    [InlineData(SyncDirection.Upload, true)]
    [InlineData(SyncDirection.Upload, false)]
    [InlineData(SyncDirection.Inside, true)]
    [InlineData(SyncDirection.Between, true)]
    public async Task OtherPartInTheStore_FailsAndARetryCopiesAgain(SyncDirection direction, bool isChanged)
    {
        using HugePair pair = NewPair(direction);
        await pair.PlanAndRunAsync();
        ConcurrentDictionary<int, byte[]> parts = pair.Store.OpenParts(HugePair.Key, Assert.Single(pair.Store.Unfinished).UploadId);
        byte[] former = parts[3];
        if (isChanged)
        {
            parts[3] = [.. former[..^1], (byte)(former[^1] ^ 0xFF)];
        }
        else
        {
            parts.TryRemove(3, out _);
        }

        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

        Assert.EachEqual((1, 1, false), (summary.Done, summary.Failed, summary.IsComplete));
        Assert.Contains("part 3", Assert.Single(summary.Failures).Message, StringComparison.Ordinal);
        Assert.Null(pair.Target);

        using TemporaryFolder other = new();
        JobFolder folder = JobFolder.InDirectory(other.Path);
        JobPlan? retry = await pair.Jobs.Job.PlanRetryAsync(folder, shards: 1).Within();
        Assert.EachEqual((3, 1, 1), (retry!.Items, retry.Objects, retry.SplitObjects));
        TransferJob job = pair.Jobs.Open(folder);
        Assert.True((await job.RunAsync(0).Within()).IsFinished);
        Assert.True((await job.FinishAsync().Within()).IsComplete);

        // The first job finds what the other one has made, and aborts its own upload.
        parts[3] = former;
        summary = await pair.Jobs.Job.FinishAsync().Within();
        Assert.EachEqual((1, true), (summary.Already, summary.IsComplete));
        pair.ExpectWhole();
    }

    [Theory]
    [InlineData(SyncDirection.Upload, true)]
    [InlineData(SyncDirection.Upload, false)]
    [InlineData(SyncDirection.Inside, true)]
    [InlineData(SyncDirection.Inside, false)]
    [InlineData(SyncDirection.Between, true)]
    [InlineData(SyncDirection.Between, false)]
    public async Task TargetAppears_AlreadyIfItIsTheSameElseConflict(SyncDirection direction, bool isSame)
    {
        using HugePair pair = NewPair(direction);
        await pair.PlanAndRunAsync();
        pair.PutTarget(isSame);
        FakeObject foreign = pair.Target!;

        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

        Assert.EachEqual((isSame, isSame ? 1 : 0, isSame ? 0 : 1), (summary.IsComplete, summary.Already, summary.Conflicts));
        Assert.Same(foreign, pair.Target);
        await pair.Jobs.Job.AbandonAsync().Within();
        pair.ExpectNoUpload();
    }

    [Fact]
    public async Task TargetOfAnotherSizeAppears_NoPartIsSent()
    {
        using HugePair pair = NewPair(SyncDirection.Upload);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        pair.Store.Put(HugePair.Key, "foreign"u8.ToArray());

        List<JobShardResult> results = await pair.Jobs.RunAllAsync(plan);

        Assert.EachEqual((1, 3), (results.Sum(one => one.Done), results.Sum(one => one.Conflicts)));
        Assert.Equal(0, pair.Store.GetCount(S3Call.UploadPart) + pair.Store.GetCount(S3Call.Create));
        Assert.Equal(1, (await pair.Jobs.Job.FinishAsync().Within()).Conflicts);
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ExistingTarget_IsReplacedOnlyInThePlannedState(SyncDirection direction)
    {
        using HugePair pair = NewPair(direction);
        pair.Store.Put(HugePair.Key, "former"u8.ToArray());
        await pair.PlanAndRunAsync();
        Assert.Equal(6, pair.Target!.Content.Length);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        pair.ExpectWhole();
    }

    [Fact]
    public async Task BetweenStores_ContentIsNotThatOfTheSource_NothingIsPublished()
    {
        using HugePair pair = NewPair(SyncDirection.Between);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        string key = SyncPair.SourcePrefix + HugePair.Name;
        pair.Jobs.Sides.Store.Objects[key] = pair.Jobs.Sides.Store.Objects[key] with { Crc64Nvme = "AAAAAAAAAAA=" };
        await pair.Jobs.RunAllAsync(plan);

        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

        Assert.EachEqual((1, 1, false), (summary.Done, summary.Failed, summary.IsComplete));
        Assert.Contains("differs from its source", Assert.Single(summary.Failures).Message, StringComparison.Ordinal);
        Assert.Null(pair.Target);
    }

    [Fact]
    public async Task NotAllPiecesHaveRun_MissingAndNothingIsPublished()
    {
        using HugePair pair = NewPair(SyncDirection.Upload);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        await pair.Jobs.RunAsync((await ShardsOfPiecesAsync(pair, plan, part: 1)).Single());

        JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

        Assert.True(summary.Missing >= 1);
        Assert.False(summary.IsComplete);
        Assert.Null(pair.Target);
        Assert.Single(pair.Store.Unfinished);
        await pair.Jobs.RunAllAsync(plan);
        Assert.True((await pair.Jobs.Job.FinishAsync().Within()).IsComplete);
        pair.ExpectWhole();
    }

    [Fact]
    public async Task Abandoned_RunAgainFailsAndSaysWhy()
    {
        using HugePair pair = NewPair(SyncDirection.Upload);
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        int[] shards = await ShardsOfPiecesAsync(pair, plan);
        await pair.Jobs.RunAsync((await ShardsOfPiecesAsync(pair, plan, part: 1)).Single());
        Assert.Equal(1, await pair.Jobs.Job.AbandonAsync().Within());
        pair.ExpectNoUpload();

        List<JobShardResult> results = await pair.Jobs.RunAllAsync(plan);

        Assert.True(results.Sum(one => one.Failed) > 0);
        Assert.Contains("NoSuchUpload", (await pair.Jobs.Job.FinishAsync().Within()).Failures[0].Message, StringComparison.Ordinal);
        Assert.Null(pair.Target);
        Assert.True(shards.Length > 0);
    }

    [Fact]
    public async Task PartsDoNotFitIntoTheMemory_TheErrorSaysWhatToDo()
    {
        using HugePair pair = new(SyncDirection.Upload, s3 => NewClient(s3.Client, options => options.Advanced.MaxUploadParts = 2));
        JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options);
        Assert.Equal(2, plan.Pieces);
        List<JobFailure> failures = [];
        TransferJob job = new(NewClient(pair.Store.Client, options => options.MemoryBytes = 8 * 1024 * 1024), pair.Jobs.Folder);
        await job.RunAsync((await ShardsOfPiecesAsync(pair, plan, part: 1)).Single(), new JobWorkerOptions { ItemFailed = failures.Add }).Within();
        Assert.Contains("does not fit into the memory budget", failures[0].Message, StringComparison.Ordinal);
    }

    /// <summary>Returns whether a call sends the first part of the huge object. The key of a call that copies is that of the source.</summary>
    private static bool SendsFirstPart(S3Call call)
        => call is { Part: 1, Operation: S3Call.UploadPart or S3Call.CopyPart } && call.Key.EndsWith(HugePair.Name, StringComparison.Ordinal);

    private static async Task RunAndFinishAsync(HugePair pair, JobPlan plan)
    {
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            await Record.ExceptionAsync(() => pair.Jobs.RunAsync(shard));
        }

        await Record.ExceptionAsync(() => pair.Jobs.Job.FinishAsync().Within());
    }

    /// <summary>Gets the shards with pieces, or the one with the piece of a part.</summary>
    private static async Task<int[]> ShardsOfPiecesAsync(HugePair pair, JobPlan plan, int? part = null)
    {
        List<int> shards = [];
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            using ShardFile file = await ShardFile.ReadAsync(pair.Jobs.Folder, JobNames.Shard(plan.Id, shard), plan.Shards[shard].Sha256, CancellationToken.None).Within();
            if (file.ReadItems().Any(item => item.Piece is { } piece && (part is not { } number || (piece.First <= number && number <= piece.Last))))
            {
                shards.Add(shard);
            }
        }

        return [.. shards];
    }

    private static async Task<string[]> LinesAsync(HugePair pair, string name)
        => System.Text.Encoding.UTF8.GetString((await pair.Jobs.Folder.ReadAllAsync(name, CancellationToken.None))!).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static string Show(JobSummary summary) => $"{summary} {string.Join(", ", summary.Failures)}";

    private HugePair NewPair(SyncDirection direction, bool isLocal = false) => new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2), isLocal);
}
