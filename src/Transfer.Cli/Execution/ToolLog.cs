using Microsoft.Extensions.Logging;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Execution;

/// <summary>Shows the log messages of the library as they occur: warnings, while there is still time to act, and others with --verbose.</summary>
internal sealed class ToolLog(Invocation invocation) : ILoggerFactory, ILogger
{
    /// <summary>The events that the tool reports itself, with the endpoint or with the error of the transfer, or whose options are the tool's own.</summary>
    private static readonly string[] ReportedElsewhere = ["PlainHttp", "AbortFailed", "ClientStarted"];

    public ILogger CreateLogger(string categoryName) => this;

    public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None && logLevel >= invocation.Telemetry.LogLevel;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel) || ReportedElsewhere.Contains(eventId.Name))
        {
            return;
        }

        string text = formatter(state, exception);
        if (logLevel >= LogLevel.Warning)
        {
            invocation.Warning(OptionNames.Translate(text));
        }
        else
        {
            invocation.Log(logLevel, exception is null ? text : $"{text}: {exception.Message}");
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose()
    {
    }
}
