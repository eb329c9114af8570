using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class WaitNoticeTests : IDisposable
{
    private readonly StringWriter _error = new() { NewLine = "\n" };
    private readonly FakeTimeProvider _time = new();
    private StoreWait? _wait;

    public void Dispose() => _error.Dispose();

    [Fact]
    public void Silence_IsSaidAfterSomeSecondsAndEachTimeItHasDoubled()
    {
        using Invocation invocation = Begin("");
        for (int second = 1; second <= 40; second++)
        {
            _wait = new StoreWait { Silence = TimeSpan.FromSeconds(second), Attempt = 1 + (second / 30), MaxAttempts = 8, Reason = second >= 30 ? "no data was transferred for 30 s" : null };
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(
            "transfer: waiting for the store for 5 s, attempt 1 of 8\n"
            + "transfer: waiting for the store for 10 s, attempt 1 of 8\n"
            + "transfer: waiting for the store for 20 s, attempt 1 of 8\n"
            + "transfer: waiting for the store for 40 s, attempt 2 of 8: no data was transferred for 30 s\n",
            _error.ToString());
    }

    [Fact]
    public void Silence_EndsAndBeginsAgain_IsSaidAgain()
    {
        using Invocation invocation = Begin("");
        Wait(new StoreWait { Silence = TimeSpan.FromSeconds(6), Attempt = 12 });
        Wait(null);
        Wait(new StoreWait { Silence = TimeSpan.FromSeconds(5), Attempt = 1, MaxAttempts = 8 });

        Assert.Equal("transfer: waiting for the store for 6 s, attempt 12\ntransfer: waiting for the store for 5 s, attempt 1 of 8\n", _error.ToString());
    }

    [Fact]
    public void Silence_ShortOrOfAnEndedCommand_IsNotSaid()
    {
        Invocation invocation = Begin("");
        Wait(new StoreWait { Silence = TimeSpan.FromSeconds(4.9), Attempt = 1 });
        invocation.Dispose();
        Wait(new StoreWait { Silence = TimeSpan.FromSeconds(50), Attempt = 1 });

        Assert.Equal(string.Empty, _error.ToString());
    }

    [Fact]
    public void Silence_Quiet_IsNotSaid()
    {
        using Invocation invocation = Begin("--quiet");
        Wait(new StoreWait { Silence = TimeSpan.FromSeconds(50), Attempt = 1 });

        Assert.Equal(string.Empty, _error.ToString());
    }

    private void Wait(StoreWait? wait)
    {
        _wait = wait;
        _time.Advance(TimeSpan.FromSeconds(1));
    }

    private Invocation Begin(string line)
    {
        OutputOptions options = new();
        OptionValues values = CliLine.Values(command => options.AddTo(command), line);
        Invocation invocation = new(values, OutputSettings.Resolve(values, options), new ToolConsole(TextWriter.Null, _error), _time);
        invocation.Watch("the store", () => _wait);
        return invocation;
    }
}
