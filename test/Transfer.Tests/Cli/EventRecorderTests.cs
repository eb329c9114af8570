using System.Net;
using System.Text;
using System.Text.Json;
using Transfer.S3.Cli.Telemetry;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli;

public sealed class EventRecorderTests : TransferTest
{
    private const int Part = 64 * 1024;
    private readonly StringBuilder _written = new();
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task Observe_DownloadInParts_RecordsTheTransferAndItsRequests()
    {
        S3.Put(3 * Part);
        S3.Before = async (_, _) =>
        {
            await _started.Task.Within(); // the time of the transfer begins with its event
            Time.Advance(TimeSpan.FromMilliseconds(7));
        };

        JsonElement[] events = await RecordAsync(client => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Verify = false }).Within());

        Assert.Equal(["transfer_started", "request_completed", "request_completed", "request_completed", "transfer_completed"], Names(events).OrderBy(Rank));
        JsonElement started = Single(events, "transfer_started");
        Assert.EachEqual(("download", FakeS3.Bucket, FakeS3.Key), (Text(started, "direction"), Text(started, "bucket"), Text(started, "key")));
        JsonElement completed = Single(events, "transfer_completed");
        Assert.Equal(Text(started, "transfer_id"), Text(completed, "transfer_id"));
        Assert.EachEqual((3 * Part, 3, 3, 0), (Number(completed, "bytes"), Number(completed, "parts"), Number(completed, "requests"), Number(completed, "retries")));
        Assert.Equal(0.021, completed.GetProperty("seconds").GetDouble());
        JsonElement request = events.First(one => Text(one, "event") == "request_completed");
        Assert.EachEqual(("GetObject", 0.007, (long)Part), (Text(request, "operation"), request.GetProperty("first_byte_seconds").GetDouble(), Number(request, "bytes")));
        Assert.False(request.TryGetProperty("error", out _));
    }

    [Fact]
    public async Task Observe_DownloadFails_RecordsTheErrors()
    {
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        JsonElement[] events = await RecordAsync(client => Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream()).Within()));

        JsonElement failed = Single(events, "transfer_failed");
        Assert.Equal("described TransferException", Text(failed, "error"));
        Assert.False(failed.GetProperty("canceled").GetBoolean());
        Assert.NotEmpty(Text(Single(events, "request_failed"), "error"));
    }

    [Fact]
    public async Task Observe_DownloadIsCanceled_IsNoError()
    {
        S3.Put(Part);
        using CancellationTokenSource cancel = new();
        S3.Before = async (_, token) =>
        {
            await cancel.CancelAsync();
            token.ThrowIfCancellationRequested();
        };

        JsonElement[] events = await RecordAsync(client => Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), cancellationToken: cancel.Token).Within()));

        Assert.True(Single(events, "transfer_failed").GetProperty("canceled").GetBoolean());
        Assert.False(Single(events, "transfer_failed").TryGetProperty("error", out _));
    }

    [Fact]
    public async Task Observe_Directory_RecordsEachObject()
    {
        S3.Put("in/a", 10);
        S3.Put("in/b", 20);

        JsonElement[] events = await RecordAsync(client => client.DownloadDirectoryAsync(FakeS3.Bucket, "in", Folder.Path).Within());

        JsonElement[] completed = [.. events.Where(one => Text(one, "event") == "transfer_completed")];
        Assert.Equal([("in/a", 10L), ("in/b", 20L)], completed.Select(one => (Text(one, "key"), Number(one, "bytes"))).Order());
        Assert.Equal(2, completed.Select(one => Text(one, "transfer_id")).Distinct().Count());
    }

    private async Task<JsonElement[]> RecordAsync(Func<TransferClient, Task> transferAsync)
    {
        EventLog log = new(
            lines =>
            {
                string text = Encoding.UTF8.GetString(lines.Span);
                _written.Append(text);
                if (text.Contains("\"transfer_started\"", StringComparison.Ordinal))
                {
                    _started.TrySetResult(); // retries of clients of other tests are written, too
                }

                return Task.CompletedTask;
            },
            "'file'",
            Time,
            Assert.Fail);
        using EventRecorder recorder = new(log, e => $"described {e.GetType().Name}");
        await transferAsync(NewClient(options =>
        {
            options.MaxConcurrency = 1;
            recorder.Observe(options);
        }));
        Time.SkipDelaysBelow = TimeSpan.Zero; // the end has a timeout
        await log.EndAsync("cp", 0).Within();

        // Clients of tests that run at the same time report their retries to the same meter.
        return [.. _written.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Parse).Where(one => Text(one, "event") is not ("command_completed" or "request_retried" or "request_hedged"))];
    }

    private static int Rank(string name) => name == "transfer_started" ? 0 : name == "transfer_completed" ? 2 : 1;

    private static IEnumerable<string> Names(IEnumerable<JsonElement> events) => events.Select(one => Text(one, "event"));

    private static JsonElement Single(IEnumerable<JsonElement> events, string name) => Assert.Single(events, one => Text(one, "event") == name);

    private static string Text(JsonElement element, string name) => element.GetProperty(name).GetString()!;

    private static long Number(JsonElement element, string name) => element.GetProperty(name).GetInt64();

    private static JsonElement Parse(string line)
    {
        using JsonDocument json = JsonDocument.Parse(line);
        return json.RootElement.Clone();
    }
}
