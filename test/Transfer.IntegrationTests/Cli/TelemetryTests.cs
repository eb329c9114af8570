using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>What shows a command while it runs: metrics, events, and the log.</summary>
public sealed class TelemetryTests : ToolTest
{
    private const int Part = 5 << 20;
    private const string Key = "name-of-the-key";

    [Theory]
    [InlineData("0")]
    [InlineData("127.0.0.1:0")]
    public async Task MetricsAddress_WhileACopyRuns_ServesPrometheusText(string address)
    {
        (ToolProcess tool, string line) = await ToolProcess.StartAndReadLineAsync(Environment, "cp", "-", $"s3://{Bucket}/{Key}", "--part-size", "5MiB", "--metrics-address", address);
        using (tool)
        {
            Assert.StartsWith("metrics: http://127.0.0.1:", line, StringComparison.Ordinal);
            Uri url = new(line["metrics: ".Length..]);
            await tool.Input.WriteAsync(Sample.Bytes(2 * Part)).AsTask().Within();
            using HttpClient http = new();

            string text = await ScrapeUntilAsync(http, url, "rpc_method=\"UploadPart\"");

            Assert.Contains("# TYPE transfer_s3_requests_total counter", text, StringComparison.Ordinal);
            Assert.Contains("# TYPE transfer_s3_request_duration_seconds histogram", text, StringComparison.Ordinal);
            Assert.Contains("# TYPE transfer_s3_memory_limit_bytes gauge", text, StringComparison.Ordinal);
            Assert.Contains("transfer_s3_request_duration_seconds_bucket{", text, StringComparison.Ordinal);
            Assert.DoesNotContain(Key, text, StringComparison.Ordinal);
            Assert.DoesNotContain(Server.SecretAccessKey, text, StringComparison.Ordinal);
            Assert.DoesNotContain($"\"{Bucket}\"", text, StringComparison.Ordinal);
            using (HttpResponseMessage elsewhere = await http.GetAsync(new Uri(url, "/")).Within())
            {
                Assert.Equal(HttpStatusCode.NotFound, elsewhere.StatusCode);
            }

            // A page in a browser can reach the address under a name of its own (DNS rebinding).
            using (HttpRequestMessage rebound = new(HttpMethod.Get, url) { Headers = { Host = "attacker.example" } })
            using (HttpResponseMessage refused = await http.SendAsync(rebound).Within())
            {
                Assert.Equal(HttpStatusCode.MisdirectedRequest, refused.StatusCode);
            }

            tool.CloseInput();
            (await tool.EndAsync()).Expect(0);
            HttpRequestException e = await Assert.ThrowsAsync<HttpRequestException>(() => http.GetAsync(url).Within());
            Assert.Equal(HttpRequestError.ConnectionError, e.HttpRequestError);
        }
    }

    [Fact]
    public async Task MetricsAddress_PortIsInUse_NothingIsSent()
    {
        using TcpListener other = new(IPAddress.Loopback, 0);
        other.Start();
        string address = other.LocalEndpoint.ToString()!;
        string source = await WriteFileAsync("source", [1]);

        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/k", "--metrics-address", address, "--events", GetPath("events"))).Expect(2);

        Assert.StartsWith($"transfer: --metrics-address got '{address}', which can't be listened on: ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("already in use; it accepts a port from 0 to 65535", outcome.Error, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(0, Server.Statistics.TotalRequests);
        Assert.False(File.Exists(GetPath("events")));
    }

    [Fact]
    public async Task MetricsAddress_OfAnotherMachine_NamesIt()
    {
        Environment["TRANSFER_METRICS_ADDRESS"] = "203.0.113.1:9464"; // reserved for documentation

        ToolOutcome outcome = (await RunAsync("cp", await WriteFileAsync("source", [1]), $"s3://{Bucket}/k")).Expect(2);

        Assert.StartsWith("transfer: TRANSFER_METRICS_ADDRESS got '203.0.113.1:9464', which can't be listened on: ", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(0, Server.Statistics.TotalRequests);
    }

    [Fact]
    public async Task Events_UploadWithARetry_AreJsonLines()
    {
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.SlowDown) { Operation = "UploadPart" }] });
        string source = await WriteFileAsync("source", Sample.Bytes(Part + 1));
        await File.WriteAllTextAsync(GetPath("events"), "{}\n").Within();

        (await RunAsync("cp", source, $"s3://{Bucket}/{Key}", "--part-size", "5MiB", "--events", GetPath("events"))).Expect(0);

        string[] lines = await File.ReadAllLinesAsync(GetPath("events")).Within();
        Assert.Equal("{}", lines[0]);
        JsonElement[] events = [.. lines[1..].Select(ToolOutcome.Parse)];
        Assert.EachEqual(("command_started", "cp"), (Text(events[0], "event"), Text(events[0], "command")));
        Assert.EachEqual(("command_completed", 0), (Text(events[^1], "event"), events[^1].GetProperty("exit_code").GetInt32()));
        JsonElement completed = Assert.Single(events, one => Text(one, "event") == "transfer_completed");
        Assert.EachEqual(("upload", Bucket, Key), (Text(completed, "direction"), Text(completed, "bucket"), Text(completed, "key")));
        Assert.EachEqual((Part + 1, 1, 2), (completed.GetProperty("bytes").GetInt64(), completed.GetProperty("retries").GetInt32(), completed.GetProperty("parts").GetInt32()));
        Assert.Equal("throttled", Text(Assert.Single(events, one => Text(one, "event") == "request_retried"), "cause"));
        Assert.Single(events, one => Text(one, "event") == "request_failed" && Text(one, "operation") == "UploadPart");
        Assert.Equal(2, events.Count(one => Text(one, "event") == "request_completed" && Text(one, "operation") == "UploadPart"));
        Assert.All(events, one => Assert.Equal(DateTimeKind.Utc, DateTime.Parse(Text(one, "time"), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind).Kind));
        Assert.DoesNotContain(Server.SecretAccessKey, string.Concat(lines), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Events_CommandIsInterrupted_EndWithThat()
    {
        using ToolProcess tool = await StartWaitingAsync();

        await tool.SignalAsync("INT");

        (await tool.EndAsync()).Expect(130);
        JsonElement[] events = [.. (await File.ReadAllLinesAsync(GetPath("events")).Within()).Select(ToolOutcome.Parse)];
        Assert.EachEqual(("command_completed", 130), (Text(events[^1], "event"), events[^1].GetProperty("exit_code").GetInt32()));
        Assert.True(Assert.Single(events, one => Text(one, "event") == "transfer_failed").GetProperty("canceled").GetBoolean());
    }

    [Fact]
    public async Task Events_AnotherProcessWritesTheFile_NothingIsSent()
    {
        using ToolProcess first = await StartWaitingAsync();
        long requests = Server.Statistics.TotalRequests;

        ToolOutcome second = (await RunAsync("cp", await WriteFileAsync("source", [1]), $"s3://{Bucket}/k", "--events", GetPath("events"))).Expect(2);

        Assert.StartsWith($"transfer: --events got '{GetPath("events")}', which can't be written: another process writes to it; it accepts", second.Error, StringComparison.Ordinal);
        Assert.Equal(requests, Server.Statistics.TotalRequests);
        first.CloseInput();
        (await first.EndAsync()).Expect(0);
    }

    [Fact]
    public async Task Events_DiskIsFull_WarnsOnceAndCopies()
    {
        if (!File.Exists("/dev/full"))
        {
            return; // only Linux has one
        }

        string source = await WriteFileAsync("source", Sample.Bytes(3 * Part));

        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/k", "--part-size", "5MiB", "--events", "/dev/full")).Expect(0);

        Assert.Single(outcome.Error.Split('\n'), line => line.StartsWith("transfer: warning: events can no longer be written to '/dev/full': ", StringComparison.Ordinal));
        Assert.Equal(3 * Part, (await GetAsync("k")).Length);
    }

    [Fact]
    public async Task Events_OnStandardError_AreLinesOfTheirOwn()
    {
        string source = await WriteFileAsync("source", [1]);

        ToolOutcome outcome = (await RunAsync("cp", source, $"s3://{Bucket}/{Key}", "--events", "-", "--quiet")).Expect(0);

        string[] lines = outcome.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("command_completed", Text(ToolOutcome.Parse(lines[^1]), "event"));
        Assert.Contains(lines, line => Text(ToolOutcome.Parse(line), "event") == "request_completed");
        Assert.Empty(outcome.Output);
    }

    [Theory]
    [InlineData("-v", false)]
    [InlineData("-vv", true)]
    public async Task Verbose_RequestFails_IsLoggedWithDetails(string option, bool hasDetails)
    {
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.InternalError) { Operation = "PutObject" }] });
        Environment["TRANSFER_MAX_ATTEMPTS"] = "3";

        ToolOutcome outcome = (await RunAsync("cp", await WriteFileAsync("source", [1]), $"s3://{Bucket}/k", option, "--json")).Expect(0);

        Assert.Contains($"the store is {Server.Endpoint} in us-east-1, with the access key of the environment\n", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("transfer: info: ", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(hasDetails, outcome.Error.Contains("transfer: debug: ", StringComparison.Ordinal));
        Assert.DoesNotContain(Server.SecretAccessKey, outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Server.AccessKeyId + "'", outcome.Error, StringComparison.Ordinal);
        Assert.Single(outcome.Lines);
    }

    /// <summary>Starts an upload from standard input that writes events and can't end.</summary>
    private async Task<ToolProcess> StartWaitingAsync()
    {
        ToolProcess tool = ToolProcess.Start(Environment, "cp", "-", $"s3://{Bucket}/{Key}", "--events", GetPath("events"));
        await tool.Input.WriteAsync(new byte[1]).AsTask().Within();
        await Deadline.Until(() => File.Exists(GetPath("events")) && File.ReadAllText(GetPath("events")).Contains("transfer_started", StringComparison.Ordinal));
        return tool;
    }

    private static async Task<string> ScrapeUntilAsync(HttpClient http, Uri url, string expected)
    {
        using CancellationTokenSource deadline = new(Deadline.Longest);
        while (true)
        {
            using HttpResponseMessage response = await http.GetAsync(url, deadline.Token);
            string text = await response.Content.ReadAsStringAsync(deadline.Token);
            if (text.Contains(expected, StringComparison.Ordinal))
            {
                Assert.Equal("text/plain", response.Content.Headers.ContentType?.MediaType);
                Assert.Contains("version=0.0.4", response.Content.Headers.ContentType?.ToString(), StringComparison.Ordinal);
                return text;
            }
        }
    }

    private static string Text(JsonElement element, string name) => element.GetProperty(name).GetString()!;
}
