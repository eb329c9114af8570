using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>Runs the same kind of job with Grid Engine, whose indices begin at 1 and can stand for several shards.</summary>
[LongRunning]
[UnsupportedOSPlatform("windows")]
public sealed class GridEngineTests
{
    private const int Objects = 400;
    private const int Shards = 10;

    [EngineTheory("gridengine-master", "qsub", "qconf", "sge_qmaster", "sge_execd")]
    [InlineData("1", 10)]
    [InlineData("3", 4)]
    public async Task Copy_ByAnArray_EachObjectIsWrittenOnce(string step, int tasks)
    {
        using TemporaryFolder folder = new();
        string tree = JobTree.Write(folder.File("tree"), Objects);
        await using JobStore store = await JobStore.StartAsync(Store.Embedded);
        await using Cluster engine = await Cluster.StartAsync("gridengine", new Dictionary<string, string>(store.Environment) { ["STEP"] = step });

        Dictionary<string, string> jobs = await engine.RunExampleAsync("gridengine-copy", tree, store.Target, store.Run, "--shards", $"{Shards}");

        Assert.Equal($"{Shards}", jobs["shards"]);
        string summary = Path.Combine(engine.Work, $"transfer-finish.o{jobs["finish job"]}");
        await WaitAsync(engine, jobs["finish job"]);
        Assert.True(File.Exists(summary), engine.ReadOutput());
        string[] output = [.. Directory.GetFiles(engine.Work, $"transfer-run.e{jobs["array job"]}.*").Select(File.ReadAllText)];
        Assert.Equal(tasks, output.Length);
        Assert.All(output, text => Assert.Contains("by SGE_TASK_ID=", text, StringComparison.Ordinal));
        Assert.Equal(Objects, ToolOutcome.Parse(await store.ReadTextAsync("summary.json")).GetProperty("done").GetInt32());
        (await store.RunAsync("verify", tree, store.Target)).Expect(0);
        await store.ExpectOneEffectAsync(Objects);
        Assert.Equal(0, await store.CountUploadsAsync());
    }

    /// <summary>Waits until Grid Engine doesn't know a job anymore, because it has ended.</summary>
    private static async Task WaitAsync(Cluster engine, string job)
    {
        using CancellationTokenSource deadline = new(Deadline.Longest);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        while (await engine.TryRunAsync("qstat", "-j", job))
        {
            await look.WaitForNextTickAsync(deadline.Token);
        }
    }
}
