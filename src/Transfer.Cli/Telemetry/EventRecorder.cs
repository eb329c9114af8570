using System.Collections.Concurrent;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Adds the events of clients to an event log.</summary>
/// <param name="log">The event log.</param>
/// <param name="describe">Describes the error of a transfer in one line, without secrets.</param>
internal sealed class EventRecorder(EventLog log, Func<Exception, string> describe) : IDisposable
{
    private readonly ConcurrentDictionary<Guid, long> _started = [];
    private readonly RetryListener _retries = new(log);

    /// <summary>Records the transfers and requests of a client with these options.</summary>
    public void Observe(TransferClientOptions options)
    {
        TransferEvents events = new();
        events.Initiated += OnInitiated;
        events.Completed += OnCompleted;
        events.Failed += OnFailed;
        options.Events = events;
        options.Advanced.RequestObserver += OnRequest;
    }

    public void Dispose() => _retries.Dispose();

    private void OnInitiated(object? sender, TransferEventArgs e)
    {
        _started[e.TransferId] = log.Time.GetTimestamp();
        log.Add(CreateEvent(EventNames.TransferStarted, e));
    }

    private void OnCompleted(object? sender, TransferEventArgs e) => log.Add(AtEnd(EventNames.TransferCompleted, e));

    private void OnFailed(object? sender, TransferEventArgs e)
    {
        bool canceled = e.Error is OperationCanceledException;
        log.Add(AtEnd(EventNames.TransferFailed, e) with { Canceled = canceled, Error = canceled || e.Error is null ? null : describe(e.Error) });
    }

    private EventJson CreateEvent(string name, TransferEventArgs e) => new()
    {
        Time = log.Now,
        Event = name,
        TransferId = e.TransferId,
        Direction = e.Direction.ToString().ToLowerInvariant(),
        Bucket = e.Bucket,
        Key = e.Key,
    };

    private EventJson AtEnd(string name, TransferEventArgs e)
    {
        double? seconds = _started.TryRemove(e.TransferId, out long started) ? Seconds(log.Time.GetElapsedTime(started)) : null;
        TransferProgress progress = e.Progress;
        return CreateEvent(name, e) with
        {
            Seconds = seconds,
            Bytes = progress.BytesTransferred,
            ResumedBytes = progress.BytesResumed > 0 ? progress.BytesResumed : null,
            Parts = progress.PartsCompleted,
            Requests = progress.Requests,
            Retries = progress.Retries,
            Hedged = progress.HedgedRequests,
        };
    }

    // Called on the thread that transfers the data.
    private void OnRequest(RequestTiming timing)
    {
        bool canceled = timing.Error is OperationCanceledException;
        log.Add(new EventJson
        {
            Time = log.Now,
            Event = timing.Error is null ? EventNames.RequestCompleted : EventNames.RequestFailed,
            Operation = timing.Kind.ToString(),
            Seconds = Seconds(timing.Duration),
            FirstByteSeconds = Seconds(timing.FirstByte),
            Bytes = timing.Bytes,
            Canceled = timing.Error is null ? null : canceled,
            Error = canceled ? null : timing.Error?.Message,
        });
    }

    private static double Seconds(TimeSpan time) => Math.Round(time.TotalSeconds, 6);
}
