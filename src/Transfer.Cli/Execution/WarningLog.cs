using Microsoft.Extensions.Logging;

namespace Transfer.Cli.Execution;

/// <summary>Shows the warnings of the library as they occur, while there is still time to act.</summary>
internal sealed class WarningLog(Invocation invocation) : ILoggerFactory, ILogger
{
    /// <summary>The events that the tool reports itself, with the endpoint or with the error of the transfer.</summary>
    private static readonly string[] ReportedElsewhere = ["PlainHttp", "AbortFailed"];

    public ILogger CreateLogger(string categoryName) => this;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel) && !ReportedElsewhere.Contains(eventId.Name))
        {
            invocation.Warning(formatter(state, exception));
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose()
    {
    }
}
