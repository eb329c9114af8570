using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Eight workers of a job are killed and stopped at random requests.</summary>
public sealed class JobChaosTests : TransferTest
{
    private const int SmallObjects = 24;

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task KillsAndStops_EachEffectOnce(SyncDirection direction)
    {
        int seeds = LongTests.Choose(full: 60, quick: 6);
        int kills = 0;
        int stops = 0;
        for (int seed = 1; seed <= seeds; seed++)
        {
            using HugePair pair = new(direction, NewClient);
            pair.Jobs.Sides.SetSource(Enumerable.Range(0, SmallObjects).ToDictionary(i => $"d/{i}", i => $"content {i}"));
            JobPlan plan = await pair.Jobs.PlanAsync(HugePair.Options with { Shards = 8 });
            Assert.EachEqual((SmallObjects + 4, 3, 8), (plan.Items, plan.Pieces, plan.Shards.Count));
            using JobChaos chaos = new(pair, plan, NewClient, Time, new Random(seed));

            await chaos.RunAsync().Within();
            JobSummary summary = await pair.Jobs.Job.FinishAsync().Within();

            string about = $"seed {seed}, {chaos.Kills} kills, {chaos.Stops} stops: {summary} {string.Join(", ", summary.Failures)}";
            Assert.True(chaos.Errors.Count == 0, $"{about}: {string.Join(", ", chaos.Errors)}");
            Assert.True(summary.IsComplete, about);
            pair.ExpectContent();
            pair.ExpectNoPartIsOpen(summary);
            Assert.All(Enumerable.Range(0, SmallObjects), i => Assert.Equal($"content {i}", System.Text.Encoding.UTF8.GetString(pair.Store.Published($"{SyncPair.TargetPrefix}d/{i}")!)));
            (kills, stops) = (kills + chaos.Kills, stops + chaos.Stops);
        }

        Assert.True(kills >= seeds && stops >= seeds, $"{kills} kills and {stops} stops");
    }

    private TransferClient NewClient(FakeS3 store) => NewClient(store.Client, options => (options.MaxAttempts, options.MaxConcurrency) = (2, 2));
}
