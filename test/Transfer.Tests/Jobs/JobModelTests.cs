using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Random trees, options, and failures: a job of several workers ends as the same copy or synchronization on one machine.</summary>
public sealed class JobModelTests : TransferTest
{
    private static readonly string[] Names = ["a", "a!", "b", "d/a", "d/a!b", "d/e/x", "d/e!", "d-f", "e/y", "e/z/w", "é", "\U0001F600", "x.tmp", "d/x.tmp"];
    private static readonly string[] Contents = ["", "1", "2", "33", "44", "a longer content"];

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task Job_EndsAsOneMachine(SyncDirection direction)
    {
        int seeds = LongTests.Choose(full: 50, quick: 15);
        for (int seed = 0; seed < seeds; seed++)
        {
            Random random = new((seed * 4) + (int)direction);
            Dictionary<string, string> source = NewTree(random);
            Dictionary<string, string> target = NewTree(random);
            if (source.Count == 0)
            {
                continue;
            }

            string[] excluded = random.Next(2) == 0 ? ["*.tmp"] : [];
            bool deletes = random.Next(2) == 0;
            SyncOptions sync = new()
            {
                Exclude = excluded,
                OnFailure = FailurePolicy.Continue,
                Delete = deletes,
                MaxDelete = deletes ? DeletionLimit.Percent(100) : DeletionLimit.Default,
                AllowEmptySource = true,
            };
            string about = $"seed {seed} {direction}: {SyncTree.Show(source)} -> {SyncTree.Show(target)}, exclude {excluded.Length}, delete {deletes}";
            using SyncPair model = new(direction, new FakeS3(), s3 => NewClient(s3.Client));
            Fill(model, source, target);
            await model.RunAsync(sync);

            using JobPair pair = new(direction, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2), isFolderLocal: random.Next(2) == 0);
            pair.Sides.Store.PageSize = pair.Sides.Target.PageSize = random.Next(1, 6);
            Fill(pair.Sides, source, target);
            JobPlan plan = await pair.PlanAsync(new JobOptions { Transfer = sync, Shards = random.Next(1, 6) });
            await RunWithFailuresAsync(pair, plan, random);
            JobSummary summary = await pair.Job.FinishAsync().Within();

            Assert.True(summary.IsComplete, $"{about}: {summary} {string.Join(", ", summary.Failures)}");
            Assert.True(SyncTree.Show(model.GetTarget()) == SyncTree.Show(pair.Sides.GetTarget()), $"{about}\nexpected {SyncTree.Show(model.GetTarget())}\nis       {SyncTree.Show(pair.Sides.GetTarget())}");
        }
    }

    /// <summary>Runs the shards in any order, some at the same time, some of them killed, until all are finished.</summary>
    private static async Task RunWithFailuresAsync(JobPair pair, JobPlan plan, Random random)
    {
        int left = random.Next(1, 60);
        pair.Before(_ =>
        {
            if (Interlocked.Decrement(ref left) < 0)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed");
            }
        });
        int[] order = [.. Enumerable.Range(0, plan.Shards.Count)];
        random.Shuffle(order);
        foreach (int[] together in order.Chunk(2))
        {
            await Task.WhenAll(together.Concat(together).Select(async shard => await Record.ExceptionAsync(() => pair.RunAsync(shard))));
        }

        pair.Before(null);
        foreach (int shard in order)
        {
            Assert.True((await pair.RunAsync(shard)).IsFinished);
        }
    }

    private static void Fill(SyncPair pair, Dictionary<string, string> source, Dictionary<string, string> target)
    {
        pair.SetSource(source);
        pair.SetTarget(target);
    }

    private static Dictionary<string, string> NewTree(Random random)
        => Names.Where(_ => random.Next(2) == 0).ToDictionary(name => name, _ => Contents[random.Next(Contents.Length)]);
}
