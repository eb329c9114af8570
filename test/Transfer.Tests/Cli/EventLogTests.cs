using System.Text;
using System.Text.Json;
using Transfer.S3.Cli.Telemetry;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli;

public sealed class EventLogTests
{
    private readonly SteppedClock _time = new();
    private readonly StringBuilder _written = new();
    private readonly List<string> _warnings = [];

    private string[] Lines => _written.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    [Fact]
    public async Task Add_Events_AreLinesInOrderWithTheTimeInUtc()
    {
        EventLog log = Create(WriteAsync);
        _time.Advance(TimeSpan.FromMilliseconds(500));
        log.Add(new EventJson { Time = log.Now, Event = "one", Key = "a\nb\u202e", FirstByteSeconds = 0.5 });
        log.Add(new EventJson { Time = log.Now, Event = "two" });

        await log.EndAsync("cp", 3).Within();

        Assert.Equal(
            [
                """{"time":"1970-01-01T00:00:00.5Z","event":"one","key":"a\nb\u202e","first_byte_seconds":0.5}""",
                """{"time":"1970-01-01T00:00:00.5Z","event":"two"}""",
                """{"time":"1970-01-01T00:00:00.5Z","event":"command_completed","command":"cp","exit_code":3,"dropped":0}""",
            ],
            Lines);
        Assert.Empty(_warnings);
    }

    [Fact]
    public async Task Add_TargetIsSlow_NeverWaitsAndCountsWhatIsDropped()
    {
        Gate gate = new();
        EventLog log = Create(
            async lines =>
            {
                await gate.PassAsync(CancellationToken.None);
                await WriteAsync(lines);
            },
            capacity: 2);
        log.Add(new EventJson { Time = log.Now, Event = "first" });
        await gate.Reached.Within();

        for (int i = 0; i < 5; i++)
        {
            log.Add(new EventJson { Time = log.Now, Event = $"e{i}" });
        }

        Task end = log.EndAsync("cp", 0);
        gate.Open();
        await end.Within();

        Assert.Equal(["first", "events_dropped", "e0", "e1", "command_completed"], Lines.Select(line => Field(line, "event").GetString()));
        Assert.Equal(3, Field(Lines[1], "dropped").GetInt64());
        Assert.Equal(3, Field(Lines[^1], "dropped").GetInt64());
        Assert.Equal("3 events were not written to 'file', which was too slow", Assert.Single(_warnings));
    }

    [Fact]
    public async Task Add_AfterTheLastEvent_IsNotReportedAsDropped()
    {
        Gate gate = new();
        EventLog log = Create(async lines =>
        {
            await gate.PassAsync(CancellationToken.None);
            await WriteAsync(lines);
        });
        log.Add(new EventJson { Time = log.Now, Event = "first" });
        await gate.Reached.Within();

        Task end = log.EndAsync("cp", 0);
        log.Add(new EventJson { Time = log.Now, Event = "late" });
        gate.Open();
        await end.Within();

        Assert.Equal(["first", "command_completed"], Lines.Select(line => Field(line, "event").GetString()));
        Assert.Empty(_warnings);
    }

    [Fact]
    public async Task Add_TargetFails_WarnsOnceAndTheCommandContinues()
    {
        TaskCompletionSource failed = new();
        EventLog log = Create(_ => throw new IOException("No space left on device."), warned: failed.SetResult);
        log.Add(new EventJson { Time = log.Now, Event = "one" });
        await failed.Task.Within();

        log.Add(new EventJson { Time = log.Now, Event = "two" });
        await log.EndAsync("cp", 0).Within();

        Assert.Equal("events can no longer be written to 'file': No space left on device; the command continues without them", Assert.Single(_warnings));
        Assert.Empty(Lines);
    }

    [Fact]
    public async Task EndAsync_ChannelIsFullWhenTheTargetFails_Ends()
    {
        Gate gate = new();
        EventLog log = Create(
            async _ =>
            {
                await gate.PassAsync(CancellationToken.None);
                throw new IOException("gone");
            },
            capacity: 1);
        log.Add(new EventJson { Time = log.Now, Event = "one" });
        await gate.Reached.Within();
        log.Add(new EventJson { Time = log.Now, Event = "two" });
        Task end = log.EndAsync("cp", 0);

        gate.Open();
        await end.Within();

        Assert.Contains("gone", Assert.Single(_warnings), StringComparison.Ordinal);
    }

    [Fact]
    public async Task EndAsync_TargetHangs_EndsAfterTheTimeout()
    {
        Gate gate = new();
        EventLog log = Create(_ => gate.PassAsync(CancellationToken.None));
        log.Add(new EventJson { Time = log.Now, Event = "one" });
        await gate.Reached.Within();
        Task end = log.EndAsync("cp", 0);

        await _time.AdvanceToTimerAsync(EventLog.EndTimeout);
        await end.Within();

        Assert.Equal("the last events were not written to 'file' within 5 s", Assert.Single(_warnings));
        gate.Open();
    }

    private EventLog Create(Func<ReadOnlyMemory<byte>, Task> writeAsync, int capacity = 100, Action? warned = null) => new(
        writeAsync,
        "'file'",
        _time,
        text =>
        {
            _warnings.Add(text);
            warned?.Invoke();
        },
        capacity);

    private Task WriteAsync(ReadOnlyMemory<byte> lines)
    {
        Assert.Equal((byte)'\n', lines.Span[^1]);
        _written.Append(Encoding.UTF8.GetString(lines.Span));
        return Task.CompletedTask;
    }

    private static JsonElement Field(string line, string name)
    {
        using JsonDocument json = JsonDocument.Parse(line);
        return json.RootElement.GetProperty(name).Clone();
    }
}
