using System.Text.Json;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Compares what a dry run says that a command would send, what the command says that it has sent, and what the server has counted.</summary>
public sealed class CostTests : ToolTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Small = 200;
    private const int Large = (2 * Part) + 12345;

    private string Tree => GetPath("tree");

    private static string Remote => $"s3://{Bucket}/t";

    [Fact]
    public async Task Copy_UpAndDown_CountsAndEstimateAgree()
    {
        await WriteTreeAsync();
        Counted up = await CompareAsync("cp", "-r", "--part-size", "5MiB", Tree, Remote);
        Assert.Equal(Small + 1 + 5, up.Usage.Writes); // small files and an empty one, and three parts with the requests around them
        Assert.Equal(up.Estimate, up.Usage);

        Counted down = await CompareAsync("cp", "-r", "--part-size", "5MiB", Remote, GetPath("copy"));
        Assert.Equal(0, down.Usage.Writes);
        Assert.Equal(up.Usage.BytesSent, down.Usage.BytesReceived);

        Counted inside = await CompareAsync("cp", "-r", Remote, $"s3://{Bucket}/u");
        Assert.EachEqual((Small + 2, 0, up.Usage.BytesSent), (inside.Usage.Writes, inside.Usage.BytesSent, inside.Usage.BytesCopied));
    }

    [Fact]
    public async Task SyncAndRemove_CountsAndEstimateAgree()
    {
        await WriteTreeAsync();
        await CompareAsync("sync", "--part-size", "5MiB", Tree, Remote);
        await CompareAsync("sync", "--part-size", "5MiB", Remote, GetPath("copy"));
        await CompareAsync("sync", Remote, $"s3://{Bucket}/u");
        for (int i = 0; i < Small; i++)
        {
            await WriteFileAsync(i % 2 == 0 ? $"tree/{i:000}" : $"tree/{i:000}-new", Sample.Bytes(1001, i)); // some are replaced before the first new one, and some later
        }

        await CompareAsync("sync", "--part-size", "5MiB", Tree, Remote);
        for (int i = 0; i < Small; i++)
        {
            File.Delete(Path.Combine(Tree, $"{i:000}"));
        }

        await WriteFileAsync("tree/new", [1]);
        await CompareAsync("sync", "--delete", "--max-delete", "100%", "--part-size", "5MiB", Tree, Remote);
        Counted removed = await CompareAsync("rm", "-r", "--yes", $"s3://{Bucket}/u");
        Assert.EachEqual((0, 1), (removed.Usage.Writes, removed.Usage.Deletes));
    }

    [Fact]
    public async Task Move_CountsAndEstimateAgree()
    {
        await WriteTreeAsync();
        await CompareAsync("mv", "-r", "--part-size", "5MiB", Tree, Remote);
        await CompareAsync("mv", "-r", Remote, $"s3://{Bucket}/u");
        await CompareAsync("mv", "-r", "--part-size", "5MiB", $"s3://{Bucket}/u", GetPath("copy"));
    }

    [Theory]
    [InlineData("cp", "-r")]
    [InlineData("sync", "--delete")]
    public async Task BetweenStores_CountsAndEstimateAgree(string command, string option)
    {
        await using EmbeddedS3Server other = await EmbeddedS3Server.StartAsync(ServerOptions);
        await WriteTreeAsync();
        (await RunAsync("cp", "-r", "--part-size", "5MiB", Tree, Remote)).Expect(0);
        string[] arguments = [command, option, "--json", "--part-size", "5MiB", "--to-endpoint-url", other.Endpoint.ToString(), Remote, Remote];

        JsonElement planned = (await RunAsync([.. arguments, "--dry-run"])).Expect(0).Json;
        Server.Statistics.Reset();
        other.Statistics.Reset();
        JsonElement done = (await RunAsync(arguments)).Expect(0).Json;

        (Usage estimate, Usage usage) = (Usage.From(planned.GetProperty("estimate")), Usage.From(done.GetProperty("usage")));
        Assert.Equal(Server.Statistics.TotalRequests + other.Statistics.TotalRequests, usage.Requests);
        CheckNear(estimate, usage);
    }

    [Fact]
    public async Task Job_CountsAndEstimateAgree()
    {
        await WriteTreeAsync();
        string run = GetPath("run");
        JsonElement planned = (await RunAsync("plan", Tree, Remote, "--run", run, "--shards", "3", "--part-size", "5MiB", "--json")).Expect(0).Json;
        Server.Statistics.Reset();

        Usage usage = default;
        for (int shard = 0; shard < 3; shard++)
        {
            JsonElement result = (await RunAsync("run", run, "--shard", $"{shard}", "--json")).Expect(0).Json;
            usage += Usage.From(result.GetProperty("usage"));
        }

        Usage estimate = Usage.From(planned.GetProperty("estimate"));
        CheckServer(usage);
        CheckNear(estimate, usage);
    }

    [Fact]
    public async Task Finish_DryRun_SaysWhatItWouldDo_AndWritesNothing()
    {
        const string Run = $"s3://{Bucket}/runs/1";
        Directory.CreateDirectory(Tree);
        await WriteFileAsync("tree/small", [1]);
        await WriteFileAsync("tree/huge", Sample.Bytes(4 * Part));
        await PutManyAsync([.. Enumerable.Range(0, 30).Select(static i => $"t/old/{i:00}")]);
        (await RunAsync("plan", "--sync", "--delete", "--max-delete", "100%", Tree, Remote, "--run", Run, "--shards", "1", "--split", "10MiB", "--part-size", "5MiB")).Expect(0);
        (await RunAsync("run", Run, "--shard", "0")).Expect(0);
        string[] before = await KeysAsync();

        JsonElement preview = (await RunAsync("finish", "--dry-run", "--json", Run)).Expect(0).Json;

        Assert.Equal(before, await KeysAsync());
        Assert.Equal(1, await CountUnfinishedUploadsAsync());
        Assert.EachEqual((1, 30, 2), (preview.GetProperty("completions").GetInt32(), preview.GetProperty("deleted").GetInt32(), preview.GetProperty("done").GetInt32()));
        Server.Statistics.Reset();
        (await RunAsync("finish", Run)).Expect(0);
        Usage estimate = Usage.From(preview.GetProperty("estimate"));
        Assert.EachEqual((4, 1), (estimate.Writes, estimate.Deletes)); // the object, its result, the report, and the summary
        Assert.InRange(Server.Statistics.TotalRequests, estimate.Requests - 3, estimate.Requests + 3);
    }

    [Fact]
    public async Task Prices_ShowAmounts()
    {
        await WriteTreeAsync();
        string prices = await WriteFileAsync("prices.json", """{ "currency": "EUR", "writes_per_1000": 5, "lists_per_1000": 1000 }"""u8.ToArray());

        ToolOutcome planned = (await RunAsync("cp", "-r", "--dry-run", "--json", "--prices", prices, "--part-size", "5MiB", Tree, Remote)).Expect(0);
        ToolOutcome copied = (await RunAsync("cp", "-r", "--prices", prices, "--part-size", "5MiB", Tree, Remote)).Expect(0);

        JsonElement estimate = planned.Json.GetProperty("estimate");
        Assert.EachEqual((1.03m, "EUR"), (estimate.GetProperty("amount").GetDecimal(), estimate.GetProperty("currency").GetString()));
        Assert.Contains("sent 206 requests: 206 writes, 0 lists, 0 reads, 0 deletes; 10.2 MiB up, 0 B down; 1.03 EUR", copied.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MaxCost_WithoutPrices_IsAUsageError()
        => Assert.Contains("--max-cost needs --prices", (await RunAsync("rm", "-r", "--yes", "--max-cost", "1", Remote)).Expect(2).Error, StringComparison.Ordinal);

    [Theory]
    [InlineData("cp", "-r")]
    [InlineData("sync", "--no-state")]
    public async Task MaxRequests_IsNeverExceeded_AndTheSameCommandGoesOn(string command, string option)
    {
        await WriteTreeAsync();
        int runs = 0;
        ToolOutcome outcome;
        do
        {
            runs++;
            outcome = await RunAsync(command, option, "--max-requests", "60", "--part-size", "5MiB", Tree, Remote);
            Dictionary<string, long> counts = new(Server.Statistics.RequestsByOperation);
            long cleanup = counts.GetValueOrDefault("AbortMultipartUpload") + counts.GetValueOrDefault("ListParts") + counts.GetValueOrDefault("ListMultipartUploads"); // the upload of the large file is ended, or looked for
            Assert.True(Server.Statistics.TotalRequests - cleanup <= 60 * runs, string.Join(", ", counts)); // of all runs, because the server can count a request after its run has ended
            if (command == "cp")
            {
                Assert.Contains("stopped at --max-requests 60; the same command goes on", outcome.Expect(7).Error, StringComparison.Ordinal);
                return; // a copy begins again with the first file
            }

            Assert.InRange(runs, 1, 10);
            Assert.True(outcome.ExitCode is 0 or 7, outcome.Error);
        }
        while (outcome.ExitCode == 7);

        Assert.Equal(Small + 2, (await KeysAsync()).Length);
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task MaxBytes_KeepsTheJournal_AndTheSameCommandGoesOn()
    {
        Directory.CreateDirectory(Tree);
        await WriteFileAsync("tree/large", Sample.Bytes(4 * Part));

        ToolOutcome stopped = (await RunAsync("cp", "-r", "--max-bytes", "12MiB", "--concurrency", "1", "--part-size", "5MiB", Tree, Remote)).Expect(7);
        Assert.Contains("stopped at --max-bytes 12 MiB; the same command goes on", stopped.Error, StringComparison.Ordinal);
        Assert.InRange(Server.Statistics.BytesReceived, Part, 12 << 20);
        Assert.Equal(1, await CountUnfinishedUploadsAsync());

        Server.Statistics.Reset();
        (await RunAsync("cp", "-r", "--max-bytes", "12MiB", "--concurrency", "1", "--part-size", "5MiB", Tree, Remote)).Expect(0);
        Assert.InRange(Server.Statistics.BytesReceived, Part, 12 << 20);
        Assert.Equal(4 * Part, (await GetAsync("t/large")).Length);
    }

    [Fact]
    public async Task MaxTime_AndMaxCost_Stop()
    {
        await WriteTreeAsync();
        string prices = await WriteFileAsync("prices.json", """{ "writes_per_1000": 1000 }"""u8.ToArray());

        Assert.Contains("stopped at --max-time ", (await RunAsync("cp", "-r", "--max-time", "0", Tree, Remote)).Expect(7).Error, StringComparison.Ordinal);
        Assert.Equal(0, Server.Statistics.TotalRequests);
        Assert.Contains("stopped at --max-cost 20.5 USD", (await RunAsync("cp", "-r", "--max-cost", "20.5", "--prices", prices, Tree, Remote)).Expect(7).Error, StringComparison.Ordinal);
        Assert.InRange((await KeysAsync()).Length, 1, 20);
        Assert.Contains("stopped at --max-requests 1;", (await RunAsync("rm", "-r", "--yes", "--max-requests", "1", Remote)).Expect(7).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Job_WithMaxRequests_KeepsItsResults_AndGoesOn()
    {
        await WriteTreeAsync();
        string run = GetPath("run");
        (await RunAsync("plan", Tree, Remote, "--run", run, "--shards", "1", "--part-size", "5MiB")).Expect(0);

        JsonElement stopped = (await RunAsync("run", run, "--shard", "0", "--max-requests", "100", "--json")).Expect(7).Json;
        Assert.InRange(Usage.From(stopped.GetProperty("usage")).Writes, 1, 100);
        ToolOutcome ended = (await RunAsync("run", run, "--shard", "0")).Expect(0);

        Assert.Contains("done before", ended.Error, StringComparison.Ordinal);
        (await RunAsync("finish", run)).Expect(0);
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }

    /// <summary>Runs a command as a dry run and then in earnest, and compares the estimate, the count, and what the server has seen.</summary>
    private async Task<Counted> CompareAsync(params string[] command)
    {
        JsonElement planned = (await RunAsync([command[0], "--dry-run", "--json", .. command[1..]])).Expect(0).Json;
        Server.Statistics.Reset();
        JsonElement done = (await RunAsync([command[0], "--json", .. command[1..]])).Expect(0).Json;
        Counted counted = new(Usage.From(planned.GetProperty("estimate")), Usage.From(done.GetProperty("usage")));
        CheckServer(counted.Usage);
        CheckNear(counted.Estimate, counted.Usage);
        return counted;
    }

    /// <summary>Compares a count with what the server has counted, by class.</summary>
    private void CheckServer(Usage usage)
    {
        Dictionary<string, long> counts = new(Server.Statistics.RequestsByOperation);
        long writes = Sum("PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "CopyObject", "UploadPartCopy", "PutObjectTagging", "RestoreObject", "CreateBucket");
        long lists = Sum("ListObjects", "ListObjectsV2", "ListObjectVersions", "ListMultipartUploads", "ListParts", "ListBuckets");
        long deletes = Sum("DeleteObject", "DeleteObjects", "AbortMultipartUpload", "DeleteObjectTagging", "DeleteBucket");
        Assert.Equal((writes, lists, Server.Statistics.TotalRequests - writes - lists - deletes, deletes), (usage.Writes, usage.Lists, usage.Reads, usage.Deletes));

        long Sum(params string[] operations) => operations.Sum(name => counts.GetValueOrDefault(name));
    }

    private static void CheckNear(Usage estimate, Usage usage)
    {
        Assert.True(
            Math.Abs(estimate.Requests - usage.Requests) <= Math.Ceiling(usage.Requests * 0.02)
                && Math.Abs(estimate.Writes - usage.Writes) <= Math.Ceiling(usage.Writes * 0.02)
                && (estimate.BytesSent, estimate.BytesReceived, estimate.BytesCopied) == (usage.BytesSent, usage.BytesReceived, usage.BytesCopied),
            $"The estimate is {estimate}, and the count is {usage}.");
    }

    /// <summary>Writes small files, an empty one, and one of three parts.</summary>
    private async Task WriteTreeAsync()
    {
        Directory.CreateDirectory(Tree);
        for (int i = 0; i < Small; i++)
        {
            await WriteFileAsync($"tree/{i:000}", Sample.Bytes(1000, i));
        }

        await WriteFileAsync("tree/empty", []);
        await WriteFileAsync("tree/large", Sample.Bytes(Large));
    }

    private sealed record Counted(Usage Estimate, Usage Usage);

    private readonly record struct Usage(long Requests, long Writes, long Lists, long Reads, long Deletes, long BytesSent, long BytesReceived, long BytesCopied)
    {
        public static Usage operator +(Usage x, Usage y) => new(
            x.Requests + y.Requests, x.Writes + y.Writes, x.Lists + y.Lists, x.Reads + y.Reads, x.Deletes + y.Deletes, x.BytesSent + y.BytesSent, x.BytesReceived + y.BytesReceived, x.BytesCopied + y.BytesCopied);

        public static Usage From(JsonElement json)
        {
            return new(Get("requests"), Get("writes"), Get("lists"), Get("reads"), Get("deletes"), Get("bytes_sent"), Get("bytes_received"), Get("bytes_copied"));

            long Get(string name) => json.GetProperty(name).GetInt64();
        }
    }
}
