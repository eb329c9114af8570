using System.Diagnostics.Metrics;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Adds an event for each request that is repeated. The library reports them when they occur only as metrics.</summary>
internal sealed class RetryListener : IDisposable
{
    private const string Retries = "transfer.s3.retries";
    private const string Hedges = "transfer.s3.hedges";
    private readonly EventLog _log;
    private readonly MeterListener _listener = new();

    public RetryListener(EventLog log)
    {
        _log = log;
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == TransferClient.MeterName && instrument.Name is Retries or Hedges)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>(OnMeasured);
        _listener.Start();
    }

    public void Dispose() => _listener.Dispose();

    private void OnMeasured(Instrument instrument, long value, ReadOnlySpan<KeyValuePair<string, object?>> attributes, object? state)
    {
        string? attribute = attributes.IsEmpty ? null : attributes[0].Value as string;
        _log.Add(instrument.Name == Retries
            ? new EventJson { Time = _log.Now, Event = EventNames.RequestRetried, Cause = attribute }
            : new EventJson { Time = _log.Now, Event = EventNames.RequestHedged, Direction = attribute });
    }
}
