using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;

namespace Transfer.S3.IntegrationTests.Security;

/// <summary>
/// Collects everything that a process can emit: logs at every level, activities with their tags, events of the network and the server, and
/// metrics. It searches them for planted secrets, and for signatures, which it recognizes by their format.
/// </summary>
internal sealed class SecretWatch : ILoggerFactory, ILogger
{
    private static readonly SearchValues<char> Hex = SearchValues.Create("0123456789abcdefABCDEF");
    private readonly string[] _secrets;
    private readonly ConcurrentQueue<string> _found = [];
    private readonly ActivityListener _activities;
    private readonly MeterListener _meters;
    private readonly Events _events;
    private int _logged;
    private int _activitiesSeen;
    private int _eventsSeen;

    public SecretWatch(params string[] secrets)
    {
        _secrets = secrets;
        _activities = new ActivityListener
        {
            ShouldListenTo = _ => true,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = Look,
        };
        ActivitySource.AddActivityListener(_activities);
        _meters = new MeterListener { InstrumentPublished = (instrument, listener) => listener.EnableMeasurementEvents(instrument) };
        _meters.SetMeasurementEventCallback<long>((_, _, tags, _) => LookAtTags(tags));
        _meters.SetMeasurementEventCallback<int>((_, _, tags, _) => LookAtTags(tags));
        _meters.SetMeasurementEventCallback<double>((_, _, tags, _) => LookAtTags(tags));
        _meters.Start();
        _events = new Events(this);
    }

    /// <summary>Gets the numbers of log messages, activities, and events that were checked. If one is zero, the check is ineffective.</summary>
    public (int Logged, int Activities, int Events) Seen => (Volatile.Read(ref _logged), Volatile.Read(ref _activitiesSeen), Volatile.Read(ref _eventsSeen));

    /// <summary>Fails the test if a secret was found.</summary>
    public void AssertNothing() => Assert.True(_found.IsEmpty, string.Join(Environment.NewLine, _found.Take(10)));

    /// <summary>Checks everything about an exception that can be printed.</summary>
    public void Look(Exception? e)
    {
        for (; e is not null; e = e.InnerException)
        {
            Look("exception", e.ToString());
            foreach (object? value in e.Data.Values)
            {
                Look("exception data", value?.ToString());
            }

            foreach (System.Reflection.PropertyInfo property in e.GetType().GetProperties().Where(p => p.DeclaringType?.Namespace?.StartsWith("Transfer", StringComparison.Ordinal) == true))
            {
                Look("exception property", property.GetValue(e)?.ToString());
            }
        }
    }

    public void Look(string where, string? text)
    {
        if (text is not null && (_secrets.Any(secret => text.Contains(secret, StringComparison.Ordinal)) || HasSignature(text)))
        {
            _found.Enqueue($"{where}: {text}");
        }
    }

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
    {
        Look("scope", state.ToString());
        return null;
    }

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        Interlocked.Increment(ref _logged);
        Look("log", formatter(state, exception));
        Look(exception);
        foreach ((string name, object? value) in state as IEnumerable<KeyValuePair<string, object?>> ?? [])
        {
            Look("log value " + name, value?.ToString());
        }
    }

    public void Dispose()
    {
        _activities.Dispose();
        _meters.Dispose();
        _events.Dispose();
    }

    private void Look(Activity activity)
    {
        Interlocked.Increment(ref _activitiesSeen);
        Look("activity", activity.DisplayName + activity.StatusDescription);
        LookAtTags([.. activity.TagObjects, .. activity.Events.SelectMany(one => one.Tags)]);
    }

    private void LookAtTags(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        foreach ((string name, object? value) in tags)
        {
            Look("tag " + name, value?.ToString());
        }
    }

    /// <summary>Returns whether a text contains the signature of a header or of a presigned URL.</summary>
    private static bool HasSignature(string text)
    {
        const string mark = "Signature=";
        const int length = 64;
        for (int at = text.IndexOf(mark, StringComparison.OrdinalIgnoreCase); at >= 0; at = text.IndexOf(mark, at + 1, StringComparison.OrdinalIgnoreCase))
        {
            ReadOnlySpan<char> rest = text.AsSpan(at + mark.Length);
            if (rest.Length >= length && !rest[..length].ContainsAnyExcept(Hex))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Listens to events of the libraries. "Private.InternalDiagnostics" is excluded, because it is .NET's own debugging aid and logs whole requests.
    /// </summary>
    private sealed class Events(SecretWatch watch) : EventListener
    {
        protected override void OnEventSourceCreated(EventSource source)
        {
            if (source.Name.StartsWith("System.Net.", StringComparison.Ordinal) || source.Name.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal)
                || source.Name.StartsWith("Microsoft-AspNetCore-", StringComparison.Ordinal) || source.Name.StartsWith("Transfer", StringComparison.Ordinal))
            {
                EnableEvents(source, EventLevel.Verbose, EventKeywords.All);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (watch is null)
            {
                return; // the base class starts before the fields are initialized
            }

            Interlocked.Increment(ref watch._eventsSeen);
            foreach (object? value in eventData.Payload ?? (IReadOnlyList<object?>)[])
            {
                watch.Look($"event {eventData.EventSource.Name}/{eventData.EventName}", value?.ToString());
            }
        }
    }
}
