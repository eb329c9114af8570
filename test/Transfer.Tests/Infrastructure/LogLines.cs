using Microsoft.Extensions.Logging;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Records log messages with their levels.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly Lock _gate = new();
    private readonly List<string> _lines = [];

    public IReadOnlyList<string> Written
    {
        get
        {
            lock (_gate)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>Gets the callback that receives each line.</summary>
    public Action<string>? Added { get; init; }

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        string line = $"{logLevel}: {formatter(state, exception)}";
        lock (_gate)
        {
            _lines.Add(line);
        }

        Added?.Invoke(line);
    }

    public void Dispose()
    {
    }
}
