using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>The folder of a job contains only what jobs write, and only that is deleted or replaced.</summary>
public sealed class JobFolderTests : TransferTest
{
    private const string Id = "0123456789abcdef";
    private const string Run = "runs/1/";
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "1", ["b"] = "2" };

    private static readonly string[] OtherNames =
    [
        "report.jsonl", "summary.json", ".hidden", "notes/x", "shards/train-0.tar", "shards/train/x.tar", "shards/000000.jsonl", $"shards/{Id}/x.jsonl", $"shards/{Id}/0.jsonl", $"shards/{Id}/000000.jsonl/x",
        $"shards/{Id.ToUpperInvariant()}/000000.jsonl", $"shards/{Id}0/000000.jsonl", "results/000000/x", $"uploads/{Id}/x.json", "probe-x", $".x.{Id}.transfer", $"x/.plan.json.{Id}.transfer",
    ];

    public static TheoryData<string> Others => [.. OtherNames];

    private static string[] Leftovers =>
    [
        $"shards/{Id}/000000.jsonl", $"shards/{Id}/100000.jsonl", $"shards/{Id}/refused.jsonl", $"shards/{Id}/deletions.jsonl", $"shards/{Id}/.000000.jsonl.{Id[..12]}.transfer", $".plan.json.{Id[..12]}.transfer",
        $"results/000000/{Id}-20260101T000000Z-01234567-00000.jsonl", $"results/000000/done-{Id}-1-2", $"uploads/{Id}/000000.json", $"uploads/{Id}/000000-end.json", $"probe-{Id}",
    ];

    [Theory]
    [MemberData(nameof(Others))]
    public async Task OtherFile_PlanAndRetryAreRefused(string name)
    {
        foreach (bool isLocal in new[] { false, true })
        {
            using JobPair pair = NewPair(isLocal);
            Put(pair, isLocal, name);

            string message = (await Assert.ThrowsAsync<TransferException>(() => pair.PlanAsync())).Message;

            Assert.Contains($"{pair.Folder.Address} contains '{name}'. ", message, StringComparison.Ordinal);
            Assert.Contains("Specify one that is empty", message, StringComparison.Ordinal);
            Assert.Equal([name], List(pair, isLocal));
            using TemporaryFolder first = new();
            JobFolder planned = JobFolder.InDirectory(first.Path);
            await pair.PlanAsync(null, planned);
            Assert.Equal(message, (await Assert.ThrowsAsync<TransferException>(() => pair.Open(planned).PlanRetryAsync(pair.Folder).Within())).Message);
            Assert.Equal([name], List(pair, isLocal));
        }
    }

    [Fact]
    public async Task ManyOtherFiles_TheErrorShowsSome()
    {
        using JobPair pair = NewPair(isLocal: false);
        foreach (int i in Enumerable.Range(0, 5))
        {
            Put(pair, isLocal: false, $"x{i}");
        }

        Assert.Contains(" contains 'x0', 'x1', 'x2', and more. ", (await Assert.ThrowsAsync<TransferException>(() => pair.PlanAsync())).Message, StringComparison.Ordinal);
    }

    [UnixTheory]
    [InlineData("link")]
    [InlineData("shards")]
    [InlineData("shards/" + Id)]
    [InlineData("results/000000")]
    public async Task Link_PlanIsRefused(string name)
    {
        using JobPair pair = NewPair(isLocal: true);
        using TemporaryFolder elsewhere = new();
        SyncTree.Write(elsewhere, "000000.jsonl", "mine");
        Directory.CreateDirectory(Path.GetDirectoryName(pair.Local.File(name))!);
        foreach (string target in new[] { elsewhere.Path, elsewhere.File("000000.jsonl"), elsewhere.File("missing") })
        {
            File.CreateSymbolicLink(pair.Local.File(name), target);
            Assert.Contains($"contains '{name}'. ", (await Assert.ThrowsAsync<TransferException>(() => pair.PlanAsync())).Message, StringComparison.Ordinal);
            File.Delete(pair.Local.File(name));
        }

        Assert.Equal("mine", await File.ReadAllTextAsync(elsewhere.File("000000.jsonl")));
        await pair.PlanAsync(); // empty folders do no harm
    }

    /// <summary>What killed planners and former plans have left isn't in the way, and the end of the job deletes the shards.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task LeftoversOfPlanners_AreAccepted(bool isLocal)
    {
        using JobPair pair = NewPair(isLocal);
        if (!isLocal)
        {
            pair.Store.Put(Run, []); // a console has created the folder
        }

        Array.ForEach(Leftovers, name => Put(pair, isLocal, name));

        JobPlan plan = await pair.PlanAsync();
        await pair.RunAllAsync(plan);
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);

        Assert.Equal(Leftovers.Where(static name => JobNames.TryReadShard(name) is null), Leftovers.Intersect(List(pair, isLocal)));
    }

    /// <summary>Whatever gets into the folder after the plan stays, also what is behind a link.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task OtherFilesAfterThePlan_FinishLeavesThem(bool isLocal)
    {
        using JobPair pair = NewPair(isLocal);
        using TemporaryFolder elsewhere = new();
        JobPlan plan = await pair.PlanAsync();
        string[] others = [.. OtherNames.Where(static name => name is not (JobNames.Report or JobNames.Summary) && !name.Contains(".jsonl/", StringComparison.Ordinal))];
        Array.ForEach(others, name => Put(pair, isLocal, name));
        SyncTree.Write(elsewhere, "000000.jsonl", "mine");
        SyncTree.Write(elsewhere, $"{Id}/000000.jsonl", "mine");
        if (isLocal && !OperatingSystem.IsWindows())
        {
            File.CreateSymbolicLink(pair.Local.File("shards/1123456789abcdef"), elsewhere.Path);
            File.CreateSymbolicLink(pair.Local.File("shards/link"), elsewhere.Path);
        }

        await pair.RunAllAsync(plan);
        Assert.True((await pair.Job.FinishAsync().Within()).IsComplete);

        Assert.Empty(others.Except(List(pair, isLocal)));
        Assert.Equal(["mine", "mine"], SyncTree.ReadAll(elsewhere).Values);
    }

    [UnixFact]
    public async Task LinkInThePathOfAFile_IsNeitherDeletedNorWrittenThrough()
    {
        using TemporaryFolder folder = new();
        using TemporaryFolder elsewhere = new();
        SyncTree.Write(elsewhere, "000000.jsonl", "mine");
        Directory.CreateDirectory(folder.File("shards"));
        File.CreateSymbolicLink(folder.File($"shards/{Id}"), elsewhere.Path);
        JobFolder run = JobFolder.InDirectory(folder.Path);

        foreach (Func<Task> change in new Func<Task>[]
        {
            () => run.DeleteAsync(JobNames.Shard(Id, 0), CancellationToken.None),
            () => run.WriteAsync(JobNames.Shard(Id, 0), new byte[1], CancellationToken.None),
        })
        {
            Assert.Contains("symbolic link", (await Assert.ThrowsAsync<TransferException>(change)).Message, StringComparison.Ordinal);
        }

        Assert.Equal("mine", Assert.Single(SyncTree.ReadAll(elsewhere)).Value);
        await run.DeleteAsync("results/000000/x", CancellationToken.None); // nothing is there, and nothing is created
        Assert.False(Directory.Exists(folder.File("results")));
    }

    private static void Put(JobPair pair, bool isLocal, string name)
    {
        if (isLocal)
        {
            SyncTree.Write(pair.Local, name, "mine");
        }
        else
        {
            pair.Store.Put(Run + name, "mine"u8.ToArray());
        }
    }

    private static IEnumerable<string> List(JobPair pair, bool isLocal) => isLocal
        ? Directory.EnumerateFiles(pair.Local.Path, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint })
            .Select(path => Path.GetRelativePath(pair.Local.Path, path)).Order(StringComparer.Ordinal)
        : pair.Store.Objects.Keys.Where(static key => key.StartsWith(Run, StringComparison.Ordinal)).Select(static key => key[Run.Length..]).Order(StringComparer.Ordinal);

    private JobPair NewPair(bool isLocal)
    {
        JobPair pair = new(SyncDirection.Inside, s3 => NewClient(s3.Client, options => options.MaxAttempts = 2), isLocal);
        pair.Sides.SetSource(Source);
        return pair;
    }
}
