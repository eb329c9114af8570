using System.Text.Json;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

[LongRunning]
public sealed class BenchTests : ToolTest
{
    private const int MiB = 1 << 20;

    [Theory]
    [InlineData("transfer")]
    [InlineData("sdk")]
    public async Task Get_ExistingObjects_ReadsAllInEveryRunAndWritesNothing(string engine)
    {
        await PutAsync("p/a", new byte[3 * MiB]);
        await PutAsync("p/b", new byte[2 * MiB]);
        await PutAsync("other", [1]);

        JsonElement result = (await RunAsync("bench", "get", $"s3://{Bucket}/p/", "--part-size", "1MiB,2MiB", "--concurrency", "1,4", "--runs", "2", "--engine", engine, "--json", "--quiet")).Expect(0).Json;

        Assert.EachEqual(("get", engine, 1), (result.GetProperty("operation").GetString(), result.GetProperty("engine").GetString(), result.GetProperty("version").GetInt32()));
        JsonElement objects = result.GetProperty("objects");
        Assert.EachEqual((2, 2 * MiB, 3 * MiB), (objects.GetProperty("count").GetInt32(), objects.GetProperty("min_size_bytes").GetInt32(), objects.GetProperty("max_size_bytes").GetInt32()));
        Assert.Equal([(MiB, 1), (MiB, 4), (2 * MiB, 1), (2 * MiB, 4)], Settings(result).Select(one => (one.GetProperty("part_size_bytes").GetInt32(), one.GetProperty("concurrency").GetInt32())));
        foreach (JsonElement setting in Settings(result))
        {
            Assert.Equal(2, setting.GetProperty("runs").GetArrayLength());
            foreach (JsonElement run in setting.GetProperty("runs").EnumerateArray())
            {
                // Each object is read at least once, or exactly once if there are more workers than objects.
                Assert.Equal(0, run.GetProperty("bytes").GetInt64() % MiB);
                Assert.InRange(run.GetProperty("bytes").GetInt64(), 5 * MiB, 12 * MiB);
                Assert.EachEqual((true, 0), (run.GetProperty("complete").GetBoolean(), run.GetProperty("errors").GetInt32()));
                Assert.InRange(run.GetProperty("throughput_mib_per_second").GetDouble(), 0.001, 1e6);
            }

            JsonElement latency = setting.GetProperty("latency_ms");
            JsonElement firstByte = setting.GetProperty("first_byte_ms");
            Assert.InRange(firstByte.GetProperty("p50").GetDouble(), 0.000001, latency.GetProperty("max").GetDouble());
            Assert.True(latency.GetProperty("min").GetDouble() <= latency.GetProperty("p50").GetDouble() && latency.GetProperty("p99").GetDouble() <= latency.GetProperty("max").GetDouble());
        }

        Assert.Equal(1, Settings(result).Count(one => one.GetProperty("best").GetBoolean()));
        Assert.StartsWith("--part-size ", result.GetProperty("advice").GetString(), StringComparison.Ordinal);
        Assert.DoesNotContain(Server.Requests, request => request.Key?.Contains("transfer-bench", StringComparison.Ordinal) == true);
    }

    [Theory]
    [InlineData("get", "6MiBx2", "transfer")]
    [InlineData("head", "1KiBx3", "transfer")]
    [InlineData("head", "1KiBx3", "sdk")]
    [InlineData("put", "6MiBx2", "transfer")]
    [InlineData("put", "6MiBx2", "sdk")]
    [InlineData("small", "1KiBx5", "transfer")]
    [InlineData("small", "1KiBx5", "sdk")]
    [InlineData("mixed", "6MiBx4", "transfer")]
    public async Task GeneratedObjects_AreCreatedMeasuredAndDeleted(string operation, string generate, string engine)
    {
        await PutAsync("p/mine", [1]);

        JsonElement result = (await RunAsync("bench", operation, $"s3://{Bucket}/p", "--generate", generate, "--runs", "1", "--count", "4", "--engine", engine, "--json", "--quiet")).Expect(0).Json;

        JsonElement setting = Assert.Single(Settings(result));
        Assert.True(setting.GetProperty("requests_per_second").GetDouble() > 0);
        Assert.Equal(0, setting.GetProperty("errors").GetInt64());
        Assert.Contains(Server.Requests, request => request.Key?.StartsWith("p/transfer-bench-", StringComparison.Ordinal) == true);
        Assert.Equal("p/mine", Assert.Single((await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects).Key);
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
        string[] kinds = [.. setting.GetProperty("requests").EnumerateArray().Select(one => one.GetProperty("kind").GetString()!)];
        string[] expected = operation switch
        {
            "head" => ["HeadObject"],
            "get" => ["GetObject"],
            "put" => [],
            _ => ["GetObject", "PutObject"],
        };
        Assert.All(expected, kind => Assert.Contains(kind, kinds));
    }

    [Fact]
    public async Task Put_LargerThanAPart_IsMultipart()
    {
        JsonElement result = (await RunAsync("bench", "put", $"s3://{Bucket}", "--generate", "12MiBx1", "--part-size", "5MiB", "--concurrency", "2", "--runs", "1", "--json", "--quiet")).Expect(0).Json;

        JsonElement setting = Assert.Single(Settings(result));
        Dictionary<string, long> counts = setting.GetProperty("requests").EnumerateArray().ToDictionary(one => one.GetProperty("kind").GetString()!, one => one.GetProperty("count").GetInt64());
        Assert.EachEqual((1, 3, 1), (counts["CreateMultipartUpload"], counts["UploadPart"], counts["CompleteMultipartUpload"]));
        Assert.Equal(12 * MiB, setting.GetProperty("runs")[0].GetProperty("bytes").GetInt64());
    }

    [Fact]
    public async Task Output_ToAFolder_LeavesNothing()
    {
        await PutAsync("a", new byte[MiB]);
        Directory.CreateDirectory(GetPath("out"));

        ToolOutcome outcome = (await RunAsync("bench", "get", "--bucket", Bucket, "--key", "a", "--output", GetPath("out"), "--runs", "1", "--json", "--quiet")).Expect(0);

        Assert.InRange(Settings(outcome.Json).Single().GetProperty("runs")[0].GetProperty("bytes").GetInt64(), MiB, 64 * MiB);
        Assert.Empty(Directory.EnumerateFileSystemEntries(GetPath("out")));
    }

    [Fact]
    public async Task Text_HasASummaryOfEachRunATableAndARecommendation()
    {
        await PutAsync("a", new byte[2 * MiB]);

        ToolOutcome outcome = (await RunAsync("bench", "get", $"s3://{Bucket}", "--keys", await WriteFileAsync("keys", "a\n"u8.ToArray()), "--part-size", "1MiB", "--concurrency", "1,2", "--runs", "2")).Expect(0);

        Assert.Equal(4, outcome.Lines.Count(line => line.Contains(", run ", StringComparison.Ordinal)));
        Assert.Contains("  1 object of 2 MiB in 2 parts of 1MiB, 1 concurrent object", outcome.Lines);
        Assert.Contains(outcome.Lines, line => line.StartsWith("Part  Concurrency  Runs  min MiB/s", StringComparison.Ordinal));
        Assert.Contains(outcome.Lines, line => line.StartsWith("Use --part-size 1MiB --concurrency ", StringComparison.Ordinal));
        Assert.DoesNotContain('\u001b', outcome.Text);
    }

    [Fact]
    public async Task Csv_IsAllThatIsWrittenToStandardOutput()
    {
        await PutAsync("a", new byte[MiB]);
        ToolOutcome outcome = (await RunAsync("bench", "get", $"s3://{Bucket}", "--concurrency", "1,2", "--runs", "1", "--csv")).Expect(0);
        Assert.Equal(3, outcome.Lines.Length);
        Assert.StartsWith("operation,engine,part_size_bytes", outcome.Lines[0], StringComparison.Ordinal);
        Assert.Contains("run 1 of 1", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_WithAnOlderResult_SaysBetterWorseOrNoise()
    {
        await PutAsync("a", [1]);
        string[] line = ["bench", "head", $"s3://{Bucket}", "--concurrency", "2", "--runs", "2", "--count", "20", "--json", "--quiet"];
        string old = await WriteFileAsync("old.json", (await RunAsync(line)).Expect(0).Output);

        JsonElement result = (await RunAsync([.. line, "--compare", old])).Expect(0).Json;

        JsonElement compared = Assert.Single(result.GetProperty("comparison").GetProperty("settings").EnumerateArray());
        Assert.Contains(compared.GetProperty("verdict").GetString(), (string[])["better", "worse", "noise"]);
        Assert.Contains("is a result of head; it accepts a result of get", (await RunAsync("bench", "get", $"s3://{Bucket}", "--compare", old)).Expect(2).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rate_LimitsTheLoad()
    {
        await PutAsync("a", [1]);

        JsonElement result = (await RunAsync("bench", "head", $"s3://{Bucket}", "--concurrency", "2", "--runs", "1", "--count", "20", "--rate", "100/s", "--json", "--quiet")).Expect(0).Json;

        Assert.Equal(100, result.GetProperty("paced_objects_per_second").GetDouble());
        Assert.InRange(Settings(result).Single().GetProperty("seconds").GetDouble(), 0.19, 60); // the last of 20 is due after 190 ms
    }

    [Theory]
    [InlineData("there are no objects under s3://bucket/nothing/", "get", "s3://bucket/nothing/")]
    [InlineData("there is no object s3://bucket/none", "get", "s3://bucket", "--key", "none")]
    [InlineData("and a has 10: a range can't be larger than the object", "get", "s3://bucket", "--part-size", "64KiB")]
    public async Task ObjectsThatCannotBeMeasured_AreAUsageErrorBeforeAnyIsRead(string expected, params string[] line)
    {
        await PutAsync("a", new byte[10]);
        ToolOutcome outcome = (await RunAsync(["bench", .. line])).Expect(2);
        Assert.Contains(expected, outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Server.Requests, request => request.Operation == "GetObject");
    }

    [Fact]
    public async Task Credentials_OnTheCommandLine_AreUsedWithAWarning()
    {
        await PutAsync("a", [1]);
        (string id, string secret) = (Environment["AWS_ACCESS_KEY_ID"], Environment["AWS_SECRET_ACCESS_KEY"]);
        Environment["AWS_ACCESS_KEY_ID"] = Environment["AWS_SECRET_ACCESS_KEY"] = "wrong";

        ToolOutcome outcome = (await RunAsync("bench", "head", $"s3://{Bucket}", "--count", "2", "--runs", "1", "--access-key-id", id, "--secret-access-key", secret)).Expect(0);

        Assert.Contains("every user of this machine can see --secret-access-key in the process list", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(secret, outcome.Error + outcome.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Interrupted_ReportsResultsAndDeletesGeneratedObjects()
    {
        using (ToolProcess tool = ToolProcess.Start(
            Environment, "bench", "get", $"s3://{Bucket}", "--generate", "1MiBx4", "--duration", "500ms", "--runs", "1000", "--progress", "none", "--html", GetPath("report.html")))
        {
            using StreamReader output = new(tool.Output);
            string? line;
            do
            {
                line = await output.ReadLineAsync().Within();
            }
            while (line is not null && !line.Contains(", run 2 of 1000", StringComparison.Ordinal));
            Assert.NotNull(line);
            Assert.NotEmpty((await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects);

            await tool.SignalAsync("INT");

            string rest = await output.ReadToEndAsync().Within();
            (await tool.EndAsync(readOutput: false)).Expect(130);
            Assert.Contains("Interrupted: these are the results so far.", rest, StringComparison.Ordinal);
            Assert.Contains("Use --part-size 8MiB --concurrency auto", rest, StringComparison.Ordinal);
            Assert.Contains("Interrupted: these are the results so far.", await File.ReadAllTextAsync(GetPath("report.html")), StringComparison.Ordinal);
        }

        Assert.Empty((await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within()).S3Objects ?? []);
    }

    [Fact]
    public async Task Html_IsAPageWithTheResults()
    {
        await PutAsync("a", new byte[MiB]);
        ToolOutcome outcome = (await RunAsync("bench", "get", $"s3://{Bucket}", "--part-size", "64KiB,256KiB", "--concurrency", "1,4", "--runs", "2", "--html", GetPath("report.html"), "--json")).Expect(0);

        string page = await File.ReadAllTextAsync(GetPath("report.html"));
        Assert.StartsWith("<!DOCTYPE html>", page, StringComparison.Ordinal);
        Assert.EndsWith("</html>\n", page, StringComparison.Ordinal);
        Assert.Contains($"<code id=\"advice\">{outcome.Json.GetProperty("advice").GetString()}</code>", page, StringComparison.Ordinal);
        Assert.Equal([GetPath("report.html")], Directory.GetFileSystemEntries(GetPath(string.Empty)));
    }

    [Fact]
    public async Task Html_InvalidPath_IsAUsageErrorBeforeAnyRequest()
    {
        Directory.CreateDirectory(GetPath("folder"));
        ToolOutcome outcome = (await RunAsync("bench", "get", $"s3://{Bucket}", "--generate", "1MiBx1", "--html", GetPath("folder"))).Expect(2);

        Assert.Contains("which is a folder", outcome.Error, StringComparison.Ordinal);
        Assert.Empty(Server.Requests);
    }

    [Fact]
    public async Task Interrupted_Json_IsMarkedIncomplete()
    {
        await PutAsync("a", new byte[MiB]);
        using ToolProcess tool = ToolProcess.Start(
            Environment, "bench", "get", $"s3://{Bucket}", "--duration", "1h", "--runs", "1", "--json", "--quiet");
        await Deadline.Until(() => Server.Statistics.TotalRequests > 10);
        await tool.SignalAsync("INT");

        JsonElement result = (await tool.EndAsync()).Expect(130).Json;
        Assert.True(result.GetProperty("interrupted").GetBoolean());
        Assert.Equal("interrupted", Assert.Single(result.GetProperty("errors").EnumerateArray()).GetProperty("error").GetString());
    }

    private static JsonElement[] Settings(JsonElement result) => [.. result.GetProperty("settings").EnumerateArray()];
}
