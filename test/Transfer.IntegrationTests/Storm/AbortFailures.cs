using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.IntegrationTests.Storm;

/// <summary>Hears from the log which uploads could not be aborted: of a cancelled one, that is the only word.</summary>
internal sealed class AbortFailures : ILoggerFactory, ILogger
{
    public ConcurrentBag<string> UploadIds { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (eventId.Name == "AbortFailed" && state is IEnumerable<KeyValuePair<string, object?>> values && values.FirstOrDefault(value => value.Key == "UploadId").Value is string id)
        {
            UploadIds.Add(id);
        }
    }

    public void Dispose()
    {
        // It holds nothing.
    }
}
