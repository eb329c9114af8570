using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>Records log messages of level Warning and above, or of another level.</summary>
internal sealed class WarningLog(LogLevel least = LogLevel.Warning) : ILoggerFactory, ILogger
{
    public ConcurrentQueue<string> Warnings { get; } = new();

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= least;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            Warnings.Enqueue(formatter(state, exception));
        }
    }

    public void Dispose()
    {
        // Scopes hold no resources.
    }
}
