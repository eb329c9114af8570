using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>Runs a copy with a real Slurm, by the script that the documentation shows, while tasks are killed and stopped.</summary>
[LongRunning]
[UnsupportedOSPlatform("windows")]
public sealed class SlurmTests
{
    private const int Shards = 30;
    private const int Seed = 20260101;
    private const int FewObjects = 2_000;
    private static readonly long HugeBytes = LongTests.Choose(256L, 64L) * 1024 * 1024;
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(LongTests.Choose(6, 3));

    [EngineTheory("slurm-wlm", "sbatch", "slurmctld", "slurmd", "munged")]
    [Stores(OurWireOnly = true)]
    public async Task Copy_TasksAreKilledAndStopped_EachObjectIsWrittenOnce(string name)
    {
        int objects = name == Store.Embedded ? FewObjects : LongTests.Choose(full: 20_000, quick: FewObjects);
        using TemporaryFolder folder = new();
        string tree = JobTree.Write(folder.File("tree"), objects);
        JobTree.WriteHuge(tree, "huge", HugeBytes);
        await using JobStore store = await JobStore.StartAsync(name);

        // Two arrays, because one can't have all shards. One request at a time, so that tasks take long enough to be killed.
        Dictionary<string, string> environment = new(store.Environment) { ["SLURM_TEST_ARRAY"] = "20", ["TRANSFER_CONCURRENCY"] = "1" };
        await using Cluster slurm = await Cluster.StartAsync("slurm", environment);
        Dictionary<string, string> jobs = await slurm.RunExampleAsync("slurm-copy", tree, store.Target, store.Run, "--shards", $"{Shards}", "--split", "16MiB");
        Assert.Equal($"{Shards}", jobs["shards"]);
        string[] arrays = jobs["array jobs"].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2, arrays.Length);

        using CancellationTokenSource deadline = new(Longest);
        SlurmFaults faults = new(slurm, store, [.. Enumerable.Range(0, Shards).Select(shard => $"{arrays[shard / 20]}_{shard % 20}")], deadline.Token);
        try
        {
            await faults.RunAsync(new Random(Seed));
            string finish = await faults.WaitAsync(jobs["finish job"]);

            Assert.Contains("JobState=COMPLETED", finish, StringComparison.Ordinal);
            Assert.Contains("ExitCode=0:0", finish, StringComparison.Ordinal);
            Assert.Contains("ExitCode=0:0", await faults.WaitAsync(faults.StoppedTask), StringComparison.Ordinal);
        }
        catch (Exception e) when (e is Xunit.Sdk.XunitException or OperationCanceledException)
        {
            Assert.Fail($"{e.Message}\n{slurm.ReadOutput()}");
        }

        Assert.True(faults.Killed > 0, "No task was killed while it ran.");
        (await store.RunAsync("verify", tree, store.Target)).Expect(0);
        await store.ExpectOneEffectAsync(objects + 1);
        Assert.Equal(0, await store.CountUploadsAsync());
        Assert.Equal(Shards, (await store.RunAsync("status", store.Run, "--json")).Expect(0).Json.GetProperty("finished_shards").GetInt32());
        Assert.Equal(objects + 1, ToolOutcome.Parse(await store.ReadTextAsync("summary.json")).GetProperty("done").GetInt32());
    }
}
