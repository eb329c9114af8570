using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>transfer bench --workload</c> with workloads of aws-crt-s3-benchmarks.</summary>
[LongRunning]
public sealed class WorkloadTests : ToolTest
{
    private const int MiB = 1 << 20;
    private const int LargeBytes = 20 * MiB;
    private static readonly Regex RunLine = new(@"^Run:\d+ Secs:\d+\.\d+ Gb/s:\d+\.\d+$", RegexOptions.NonBacktracking); // as the scripts of the other runners read it

    [Theory]
    [InlineData("transfer", true, "null")]
    [InlineData("transfer", false, "null")]
    [InlineData("transfer", true, "\"CRC32\"")]
    [InlineData("transfer", false, "\"CRC32C\"")]
    [InlineData("transfer", false, "\"SHA256\"")]
    [InlineData("sdk", true, "null")]
    [InlineData("sdk", false, "\"CRC32\"")]
    public async Task Workload_UploadsAndDownloads_TransfersAllObjectsInEveryRun(string engine, bool filesOnDisk, string checksum)
    {
        await WriteAsync(filesOnDisk, checksum, 2, ("upload", "up/large", LargeBytes), ("upload", "up/sub/small", 5), ("upload", "up/empty", 0), ("download", "down/large", LargeBytes), ("download", "down/small", 7));

        ToolOutcome outcome = (await RunAsync("--engine", engine, "--prepare")).Expect(0);

        Assert.Equal($"prepared 2 objects and {(filesOnDisk ? 3 : 0)} files; the others existed\n", outcome.Error);
        Assert.Equal(7, outcome.Lines.Length);
        Assert.All(outcome.Lines[..2], line => Assert.Matches(RunLine, line));
        Assert.StartsWith("Overall Throughput (Gb/s) Median:", outcome.Lines[2], StringComparison.Ordinal);
        Assert.StartsWith("Overall Duration (Secs) Median:", outcome.Lines[3], StringComparison.Ordinal);
        Assert.StartsWith("Overall CPU (Secs) Median:", outcome.Lines[4], StringComparison.Ordinal);
        Assert.StartsWith("CPU Percent:", outcome.Lines[5], StringComparison.Ordinal);
        Assert.InRange(double.Parse(outcome.Lines[6]["Peak RSS:".Length..^" MiB".Length], CultureInfo.InvariantCulture), 1, 10_000);
        Assert.Equal(2, Server.Requests.Count(request => request is { Method: "PUT", Key: "up/sub/small" }));
        Assert.InRange(Server.Requests.Count(request => request is { Method: "GET", Key: "down/small" }), 2, 20);
        Assert.Equal(
            filesOnDisk ? ["down/large", "down/small", "up/empty", "up/large", "up/sub/small"] : [],
            Directory.EnumerateFiles(Work, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(Work, file)).Where(file => file.Contains('/', StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        byte[] uploaded = await GetAsync("up/large");
        Assert.Equal(LargeBytes, uploaded.Length);
        if (filesOnDisk)
        {
            Assert.Equal(await File.ReadAllBytesAsync(Path.Combine(Work, "up/large")), uploaded);
            Assert.Equal(await GetAsync("down/large"), await File.ReadAllBytesAsync(Path.Combine(Work, "down/large")));
        }

        if (checksum != "null")
        {
            GetObjectMetadataResponse stored = await S3.GetObjectMetadataAsync(new GetObjectMetadataRequest { BucketName = Bucket, Key = "up/sub/small", ChecksumMode = ChecksumMode.ENABLED }).Within();
            Assert.NotNull(checksum switch { "\"CRC32\"" => stored.ChecksumCRC32, "\"CRC32C\"" => stored.ChecksumCRC32C, _ => stored.ChecksumSHA256 });
        }
    }

    [Fact]
    public async Task Prepare_ExistingObjects_CreatesOnlyWhatDoesNotFit()
    {
        await PutAsync("down/right", [1, 2, 3]);
        await PutAsync("down/wrong", [1, 2]);
        await WriteAsync(false, "null", 1, ("download", "down/right", 3), ("download", "down/wrong", 3), ("download", "down/missing", 3), ("download", "down/right", 3));

        Assert.Equal("prepared 2 objects and 0 files; the others existed\n", (await RunAsync("--prepare")).Expect(0).Error);

        Assert.Equal([1, 2, 3], await GetAsync("down/right"));
        Assert.EachEqual((3, 3), ((await GetAsync("down/wrong")).Length, (await GetAsync("down/missing")).Length));
    }

    [Fact]
    public async Task Prepare_ObjectWithoutTheChecksum_IsReplaced()
    {
        await PutAsync("down/a", [1, 2, 3]);
        await WriteAsync(false, "\"SHA256\"", 1, ("download", "down/a", 3));
        Assert.StartsWith("prepared 1 object ", (await RunAsync("--prepare")).Expect(0).Error, StringComparison.Ordinal);
        Assert.StartsWith("prepared 0 objects ", (await RunAsync("--prepare")).Expect(0).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("transfer")]
    [InlineData("sdk")]
    public async Task Workload_MissingOrDifferentObject_FailsAndCreatesNothing(string engine)
    {
        await WriteAsync(false, "null", 3, ("download", "down/a", 3));
        ToolOutcome outcome = (await RunAsync("--engine", engine)).Expect(1);
        Assert.Equal(
            "transfer: s3://bucket/down/a doesn't exist, and the workload downloads it; create it with --prepare, or with prep-s3-files.py of aws-crt-s3-benchmarks\n", outcome.Error);
        Assert.Empty(outcome.Text);
        Assert.Empty((await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects ?? []);

        await PutAsync("down/a", [1, 2]);
        Assert.StartsWith("transfer: s3://bucket/down/a has 2 bytes, but 3 in the workload", (await RunAsync("--engine", engine)).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Workload_MissingFileToUpload_FailsBeforeAnythingIsSent()
    {
        await WriteAsync(true, "null", 3, ("upload", "up/a", 3));
        Assert.StartsWith("transfer: the file 'up/a' in the current directory doesn't exist", (await RunAsync()).Expect(1).Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Json_IsTheOnlyOutput()
    {
        await WriteAsync(false, "null", 2, ("upload", "up/a", 3), ("upload", "up/a", 3));

        ToolOutcome outcome = (await RunAsync("--json")).Expect(0);

        Assert.Single(outcome.Lines);
        Assert.Equal(2, outcome.Json.GetProperty("runs").GetArrayLength());
        JsonElement workload = outcome.Json.GetProperty("workload");
        Assert.EachEqual(("w", 2, 0, 6), (workload.GetProperty("name").GetString(), workload.GetProperty("uploads").GetInt32(), workload.GetProperty("downloads").GetInt32(), workload.GetProperty("bytes_per_run").GetInt32()));
        Assert.Contains("Run:1 Secs:", outcome.Error, StringComparison.Ordinal);
        Assert.Empty((await RunAsync("--quiet")).Expect(0).Text);
    }

    [Theory]
    [InlineData("--csv", "--csv isn't used for bench --workload")]
    [InlineData("--runs=3", "--runs isn't used for bench --workload")]
    [InlineData("--prefix=p", "--prefix isn't used for bench --workload")]
    public async Task Workload_OptionOfTheOtherOperations_IsRefused(string option, string expected)
    {
        await WriteAsync(false, "null", 1, ("upload", "up/a", 3));
        Assert.Contains(expected, (await RunAsync(option)).Expect(2).Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    private string Work => Directory.CreateDirectory(GetPath("work")).FullName;

    private new Task<ToolOutcome> RunAsync(params string[] options) => ToolProcess.RunInAsync(Work, Environment, ["bench", "--workload", "w.run.json", $"s3://{Bucket}", .. options]);

    private Task WriteAsync(bool filesOnDisk, string checksum, int runs, params (string Action, string Key, int Size)[] tasks)
    {
        string list = string.Join(", ", tasks.Select(task => $$"""{"action": "{{task.Action}}", "key": "{{task.Key}}", "size": {{task.Size}}}"""));
        string text = $$"""
            {"version": 2, "comment": "", "filesOnDisk": {{(filesOnDisk ? "true" : "false")}}, "checksum": {{checksum}}, "maxRepeatCount": {{runs}}, "maxRepeatSecs": 600, "tasks": [{{list}}]}
            """;
        return File.WriteAllTextAsync(Path.Combine(Work, "w.run.json"), text);
    }
}
