using Microsoft.Extensions.Logging;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Cli;

public sealed class WarningLogTests
{
    [Theory]
    [InlineData("", LogLevel.Warning, "PartsRunOut", "transfer: warning: text\\u001b\n")]
    [InlineData("", LogLevel.Error, "Any", "transfer: warning: text\\u001b\n")]
    [InlineData("", LogLevel.Information, "PartsGrown", "")]
    [InlineData("", LogLevel.Warning, "PlainHttp", "")] // the tool has already written this warning
    [InlineData("", LogLevel.Warning, "AbortFailed", "")] // the failure includes this warning
    [InlineData("--quiet", LogLevel.Warning, "PartsRunOut", "")]
    public void Log_WarningsAreShown(string line, LogLevel level, string name, string expected)
    {
        using StringWriter error = new();
        OutputOptions output = new();
        OptionValues values = CliLine.Values(command => output.AddTo(command), line);
        View view = new();
        Invocation invocation = new(values, OutputSettings.Resolve(values, output), new ToolConsole(TextWriter.Null, error), new FakeTimeProvider()) { View = view };
        using WarningLog log = new(invocation);

        log.CreateLogger("any").Log(level, new EventId(1, name), "text\u001b", null, static (text, _) => text);

        Assert.Equal((expected, expected.Length > 0 ? 1 : 0), (error.ToString(), view.Asides));
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
