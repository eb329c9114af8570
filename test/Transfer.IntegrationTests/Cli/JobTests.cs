using System.Text.Json;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Runs one copy by several processes of the tool.</summary>
public sealed class JobTests : ToolTest
{
    private const string Run = $"s3://{Bucket}/runs/1";
    private const int Objects = 120;

    private string Tree => GetPath("tree");

    [Fact]
    public async Task Job_OfSeveralProcesses_CopiesEverythingOnce()
    {
        await WriteTreeAsync();
        JsonElement plan = (await RunAsync("plan", Tree, $"s3://{Bucket}/t", "--run", Run, "--shards", "6", "--json")).Expect(0).Json;
        Assert.EachEqual((6, Objects), (plan.GetProperty("shards").GetInt32(), plan.GetProperty("objects").GetInt32()));
        Assert.Contains("already has the plan", (await RunAsync("plan", Tree, $"s3://{Bucket}/t", "--run", Run)).Expect(1).Error, StringComparison.Ordinal);
        ToolOutcome unfinished = (await RunAsync("finish", Run)).Expect(1);
        Assert.Contains("6 of 6 shards have objects without a result: 0-5. Run them again: sbatch --array=0-5; ", unfinished.Error, StringComparison.Ordinal);
        Assert.DoesNotContain($"s3://{Bucket}/t/", unfinished.Error, StringComparison.Ordinal);
        Server.ClearRequests();

        // Every shard by two processes at the same time, as after a network split, and more tasks than shards.
        ToolOutcome[] outcomes = await Task.WhenAll(Enumerable.Range(0, 14).Select(task => RunTaskAsync(("SLURM_ARRAY_TASK_ID", $"{task / 2}"))));

        Assert.All(outcomes, outcome => outcome.Expect(0));
        Assert.StartsWith("shard 0, by SLURM_ARRAY_TASK_ID=0", outcomes[0].Error, StringComparison.Ordinal);
        Assert.Contains("the job doesn't have it", outcomes[13].Error, StringComparison.Ordinal);
        RequestRecord[] puts = [.. Server.Requests.Where(request => request is { Operation: "PutObject", StatusCode: 200 } && request.Key!.StartsWith("t/", StringComparison.Ordinal))];
        Assert.Equal(Objects, puts.Select(request => request.Key).Distinct().Count());
        Assert.Equal(Objects, puts.Length);

        JsonElement status = (await RunAsync("status", Run, "--json")).Expect(0).Json;
        Assert.EachEqual((true, 6), (status.GetProperty("is_complete").GetBoolean(), status.GetProperty("finished_shards").GetInt32()));
        JsonElement summary = (await RunAsync("finish", Run, "--json")).Expect(0).Json;
        Assert.EachEqual((Objects, 0), (summary.GetProperty("done").GetInt32(), summary.GetProperty("failed").GetInt32()));
        (await RunAsync("verify", Tree, $"s3://{Bucket}/t")).Expect(0);
        Assert.Equal(Objects, System.Text.Encoding.UTF8.GetString(await GetAsync("runs/1/report.jsonl")).Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);

        Server.ClearRequests();
        Assert.Contains("finished before", (await RunAsync("run", Run, "--shard", "2")).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(["ListObjectsV2", "GetObject"], Server.Requests.Select(request => request.Operation));
    }

    [Fact]
    public async Task HugeFile_IsCopiedInPiecesByAllShards()
    {
        await WriteTreeAsync();
        await WriteFileAsync("tree/huge", Sample.Bytes(31 * 1024 * 1024, 1));
        ToolOutcome planned = (await RunAsync("plan", Tree, $"s3://{Bucket}/t", "--run", Run, "--shards", "4", "--split", "10MiB", "--part-size", "5MiB", "--json")).Expect(0);
        Assert.EachEqual((4, Objects + 1, 1, 7), (planned.Json.GetProperty("shards").GetInt32(), planned.Json.GetProperty("objects").GetInt32(), planned.Json.GetProperty("split_objects").GetInt32(), planned.Json.GetProperty("pieces").GetInt32()));
        Server.ClearRequests();

        // Every shard by two processes at the same time.
        ToolOutcome[] outcomes = await Task.WhenAll(Enumerable.Range(0, 8).Select(task => RunTaskAsync(("SLURM_ARRAY_TASK_ID", $"{task / 2}"))));

        Assert.All(outcomes, outcome => outcome.Expect(0));
        Assert.Contains(outcomes, outcome => outcome.Error.Contains(" that finish completes", StringComparison.Ordinal));
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "CompleteMultipartUpload");
        Assert.Contains("7 of these items are pieces of 1 object", (await RunAsync("status", Run)).Expect(0).Text, StringComparison.Ordinal);
        JsonElement summary = (await RunAsync("finish", Run, "--json")).Expect(0).Json;
        Assert.Equal(Objects + 1, summary.GetProperty("done").GetInt32());
        Assert.Single(Server.Requests, request => request is { Operation: "CompleteMultipartUpload", StatusCode: 200 });
        (await RunAsync("verify", Tree, $"s3://{Bucket}/t")).Expect(0);
        Assert.Empty((await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads ?? []);

        (await RunAsync("plan", $"s3://{Bucket}/t", $"s3://{Bucket}/u", "--run", $"s3://{Bucket}/runs/2", "--shards", "2", "--split", "10MiB", "--part-size", "5MiB")).Expect(0);
        (await RunAsync("run", $"s3://{Bucket}/runs/2", "--shards", "0-1")).Expect(0);
        (await RunAsync("finish", $"s3://{Bucket}/runs/2")).Expect(0);
        (await RunAsync("verify", Tree, $"s3://{Bucket}/u")).Expect(0);
        Assert.Contains("1 larger than --split and not divided", (await RunAsync("plan", $"s3://{Bucket}/u", GetPath("back"), "--run", $"s3://{Bucket}/runs/3", "--split", "10MiB")).Expect(0).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Index_OfTwoEngines_IsRefused()
    {
        ToolOutcome outcome = await RunTaskAsync(("SLURM_ARRAY_TASK_ID", "1"), ("JOB_COMPLETION_INDEX", "1"));
        Assert.Contains("SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set", outcome.Expect(2).Error, StringComparison.Ordinal);
        Assert.Contains("has no 'plan.json'", (await RunAsync("run", Run, "--shard", "0")).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sync_InAFolder_DeletesAtTheEnd()
    {
        await WriteTreeAsync();
        await PutAsync("t/gone", "x"u8.ToArray());
        string run = GetPath("run");
        (await RunAsync("plan", "--sync", "--delete", Tree, $"s3://{Bucket}/t", "--run", run, "--shards", "2")).Expect(0);
        (await RunAsync("run", run, "--shards", "0-1")).Expect(0);
        Assert.Contains("1 deleted", (await RunAsync("finish", run)).Expect(0).Error, StringComparison.Ordinal);
        (await RunAsync("verify", Tree, $"s3://{Bucket}/t")).Expect(0);
        Assert.Contains("120 of 120", (await RunAsync("status", run)).Expect(0).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Download_FromABucket()
    {
        await WriteTreeAsync();
        (await RunAsync("cp", "-r", Tree, $"s3://{Bucket}/t")).Expect(0);
        (await RunAsync("plan", $"s3://{Bucket}/t", GetPath("back"), "--run", Run, "--shards", "3")).Expect(0);
        (await RunAsync("run", Run, "--shards", "0-2")).Expect(0);
        (await RunAsync("finish", Run)).Expect(0);
        (await RunAsync("verify", GetPath("back"), $"s3://{Bucket}/t")).Expect(0);
    }

    [Fact]
    public async Task KeysFrom_PlansWhatTheListSelects()
    {
        await WriteTreeAsync();
        (await RunAsync("cp", "-r", Tree, $"s3://{Bucket}/t")).Expect(0);
        string list = GetPath("inventory.csv");
        await File.WriteAllLinesAsync(list, Enumerable.Range(0, 40).Select(i => $"{Bucket},t/{i % 7}/{i},,true,{1 + (i * 100)}"));
        string[] plan = ["plan", $"s3://{Bucket}/t", $"s3://{Bucket}/u", "--run", Run, "--shards", "2", "--keys-from", list, "--keys-format", "csv:Bucket,Key,VersionId,IsLatest,Size", "--json"];

        Assert.Equal(40, (await RunAsync(plan)).Expect(0).Json.GetProperty("objects").GetInt32());

        (await RunAsync("run", Run, "--shards", "0-1")).Expect(0);
        (await RunAsync("finish", Run)).Expect(0);
        Assert.Equal(40, (await S3.ListObjectsV2Async(new Amazon.S3.Model.ListObjectsV2Request { BucketName = Bucket, Prefix = "u/" }).Within()).S3Objects.Count);

        await File.AppendAllTextAsync(list, "other,t/x,,true,5\n");
        Assert.Contains("line 41 of", (await RunAsync([.. plan[..4], GetPath("run2"), .. plan[5..]])).Expect(1).Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(GetPath("run2")) && Directory.EnumerateFiles(GetPath("run2"), "plan.json").Any());
        Assert.Contains("SRC is a folder", (await RunAsync("plan", Tree, $"s3://{Bucket}/v", "--run", Run, "--keys-from", list)).Expect(2).Error, StringComparison.Ordinal);
        Assert.Contains("--sync", (await RunAsync("plan", $"s3://{Bucket}/t", $"s3://{Bucket}/v", "--run", Run, "--sync", "--keys-from", list)).Expect(2).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Status_NamesUnfinishedShardsAsTheEngineTakesThem()
    {
        await WriteTreeAsync();
        (await RunAsync("plan", Tree, $"s3://{Bucket}/t", "--run", Run, "--shards", "6")).Expect(0);
        (await RunAsync("run", Run, "--shards", "0,2")).Expect(0);

        Assert.Contains("not finished: 1,3-5 (sbatch --array=1,3-5; ", (await RunAsync("status", Run)).Expect(0).Text, StringComparison.Ordinal);
        Assert.Equal([1, 3, 4, 5], (await RunAsync("status", Run, "--json")).Expect(0).Json.GetProperty("unfinished_shards").EnumerateArray().Select(shard => shard.GetInt32()));
        JsonElement summary = (await RunAsync("finish", Run, "--json")).Expect(1).Json;
        Assert.Equal([1, 3, 4, 5], summary.GetProperty("missing_shards").EnumerateArray().Select(shard => shard.GetInt32()));
        Assert.Empty(summary.GetProperty("failures").EnumerateArray());

        (await RunAsync("run", Run, "--shards", "1,3-5")).Expect(0);
        Assert.DoesNotContain("not finished", (await RunAsync("status", Run)).Expect(0).Text, StringComparison.Ordinal);
        (await RunAsync("finish", Run)).Expect(0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Plan_DryRun_CountsAndWritesNothing(bool syncs)
    {
        await WriteTreeAsync();
        await PutAsync("t/gone", "x"u8.ToArray());
        string[] plan = ["plan", Tree, $"s3://{Bucket}/t", "--run", Run, "--shards", "6", .. syncs ? (string[])["--sync", "--delete"] : []];
        Server.ClearRequests();

        ToolOutcome outcome = (await RunAsync([.. plan, "--dry-run"])).Expect(0);

        Assert.StartsWith($"would plan {Objects} objects, ", outcome.Error.Split("transfer: warning: ")[0] is { Length: > 0 } text ? text : outcome.Error.Split('\n')[^2], StringComparison.Ordinal);
        Assert.Contains(syncs ? "in 6 shards, 1 to delete" : "in 6 shards", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Server.Requests, request => request.Operation.StartsWith("Put", StringComparison.Ordinal) || request.Operation.StartsWith("Delete", StringComparison.Ordinal));
        Assert.Equal(["t/gone"], await KeysAsync());
        JsonElement dry = (await RunAsync([.. plan, "--dry-run", "--json"])).Expect(0).Json;
        JsonElement real = (await RunAsync([.. plan, "--json"])).Expect(0).Json;
        foreach (string name in (string[])["shards", "objects", "bytes", "deletions"])
        {
            Assert.Equal(real.GetProperty(name).GetInt64(), dry.GetProperty(name).GetInt64());
        }
    }

    [Fact]
    public async Task Plan_MissingFolder_SaysSo()
        => Assert.Contains("there/is/nothing': no such folder", (await RunAsync("plan", "/there/is/nothing", $"s3://{Bucket}/t", "--run", Run)).Expect(2).Error, StringComparison.Ordinal);

    /// <summary>Runs one task of an array.</summary>
    private Task<ToolOutcome> RunTaskAsync(params (string Name, string Value)[] variables)
    {
        Dictionary<string, string> environment = new(Environment);
        foreach ((string name, string value) in variables)
        {
            environment[name] = value;
        }

        return ToolProcess.RunAsync(environment, "run", Run);
    }

    private async Task WriteTreeAsync()
    {
        for (int i = 0; i < Objects; i++)
        {
            Directory.CreateDirectory(GetPath($"tree/{i % 7}"));
            await WriteFileAsync($"tree/{i % 7}/{i}", Sample.Bytes(1 + (i * 100), i));
        }
    }
}
