using Microsoft.Extensions.Logging;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Tests.Cli;

public sealed class ToolLogTests
{
    private const string Text = "text\u001b";

    [Theory]
    [InlineData("", LogLevel.Warning, "PartsRunOut", "transfer: warning: text\\u001b\n")]
    [InlineData("", LogLevel.Error, "Any", "transfer: warning: text\\u001b\n")]
    [InlineData("", LogLevel.Information, "PartsGrown", "")]
    [InlineData("", LogLevel.Warning, "PlainHttp", "")] // the tool has said so already
    [InlineData("", LogLevel.Warning, "AbortFailed", "")] // and this comes with the failure
    [InlineData("-v", LogLevel.Warning, "PlainHttp", "")]
    [InlineData("--quiet", LogLevel.Warning, "PartsRunOut", "")]
    [InlineData("-v", LogLevel.Warning, "PartsRunOut", "transfer: warning: text\\u001b\n")]
    [InlineData("-v", LogLevel.Information, "PartsGrown", "transfer: info: 00:00:01.250 text\\u001b\n")]
    [InlineData("-v", LogLevel.Debug, "Retrying", "")]
    [InlineData("-vv", LogLevel.Debug, "Retrying", "transfer: debug: 00:00:01.250 text\\u001b\n")]
    [InlineData("-vvv", LogLevel.Debug, "Retrying", "transfer: debug: 00:00:01.250 text\\u001b\n")]
    [InlineData("-v -v", LogLevel.Debug, "Retrying", "transfer: debug: 00:00:01.250 text\\u001b\n")]
    [InlineData("-vv", LogLevel.Trace, "Any", "")]
    [InlineData("-vv", LogLevel.None, "Any", "")]
    public void Log_LevelIsWanted_IsShownBesideTheProgress(string line, LogLevel level, string name, string expected)
    {
        using StringWriter error = new();
        View view = new();

        Log(line, new ToolConsole(TextWriter.Null, error), view, level, name, null);

        Assert.EachEqual((expected, expected.Length > 0 ? 1 : 0), (error.ToString(), view.Asides));
    }

    [Theory]
    [InlineData(true, true, "\u001b[90mtransfer: debug: 00:00:01.250 text\\u001b\u001b[0m\n")]
    [InlineData(false, true, "transfer: debug: 00:00:01.250 text\\u001b\n")] // NO_COLOR
    [InlineData(true, false, "transfer: debug: 00:00:01.250 text\\u001b\n")]
    public void Log_Details_AreGrayOnATerminalWithColors(bool allowsColor, bool isTerminal, string expected)
    {
        using StringWriter error = new();

        Log("-vv", new ToolConsole(TextWriter.Null, error) { AllowsColor = allowsColor, ErrorIsTerminal = isTerminal }, new View(), LogLevel.Debug, "Retrying", null);

        Assert.Equal(expected, error.ToString());
    }

    [Fact]
    public void Log_WithAnException_EndsWithItsMessage()
    {
        using StringWriter error = new();

        Log("-v", new ToolConsole(TextWriter.Null, error), new View(), LogLevel.Information, "Any", new IOException("no\nspace"));

        Assert.Equal("transfer: info: 00:00:01.250 text\\u001b: no space\n", error.ToString());
    }

    [Theory]
    [InlineData("", "", LogLevel.Warning)]
    [InlineData("", "0", LogLevel.Warning)]
    [InlineData("", "1", LogLevel.Information)]
    [InlineData("", "true", LogLevel.Information)]
    [InlineData("", "2", LogLevel.Debug)]
    [InlineData("-v", "2", LogLevel.Information)]
    [InlineData("--verbose", "", LogLevel.Information)]
    [InlineData("--verbose false", "2", LogLevel.Warning)]
    [InlineData("--debug", "", LogLevel.Debug)]
    [InlineData("-v --debug", "0", LogLevel.Debug)]
    public void LogLevelOf_LineComesBeforeTheVariable(string line, string variable, LogLevel expected)
    {
        TelemetryOptions options = new();
        Assert.Equal(expected, options.GetLogLevel(CliLine.Values(command => options.AddTo(command), line, ("TRANSFER_VERBOSE", variable))));
    }

    [Fact]
    public void LogLevelOf_WrongVariable_NamesIt()
    {
        TelemetryOptions options = new();
        UsageException e = Assert.Throws<UsageException>(() => options.GetLogLevel(CliLine.Values(command => options.AddTo(command), "", ("TRANSFER_VERBOSE", "3"))));
        Assert.StartsWith("TRANSFER_VERBOSE got '3'; it accepts 2 for details, or 1", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void LogLevelOf_CommandWithoutTheOption_IgnoresTheVariable()
    {
        TelemetryOptions options = new();
        Assert.Equal(LogLevel.Warning, options.GetLogLevel(CliLine.Values(_ => { }, "", ("TRANSFER_VERBOSE", "2"))));
    }

    private static void Log(string line, ToolConsole console, View view, LogLevel level, string name, Exception? exception)
    {
        OutputOptions output = new();
        OptionValues values = CliLine.Values(command => output.AddTo(command), line);
        FakeTimeProvider time = new();
        time.Advance(TimeSpan.FromMilliseconds(1250));
        Invocation invocation = new(values, OutputSettings.Resolve(values, output), console, time)
        {
            View = view,
            Telemetry = new CommandTelemetry(output.Telemetry.GetLogLevel(values)),
        };
        using ToolLog log = new(invocation);
        log.CreateLogger("any").Log(level, new EventId(1, name), Text, exception, static (text, _) => text);
    }

    private sealed class View : IProgressView
    {
        public int Asides { get; private set; }

        public void Aside(Action write)
        {
            Asides++;
            write();
        }

        public void Report(TransferProgress value)
        {
        }

        public void Dispose()
        {
        }
    }
}
