using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Transfer.S3.Tests.Requests;

/// <summary>A meter factory of one test that records what is reported to its meters. Other tests run at the same time with meters of their own.</summary>
internal sealed class RecordedMeter : IMeterFactory
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentQueue<Record> _records = [];
    private readonly Lazy<Meter> _meter;

    public RecordedMeter(bool listens = true)
    {
        _meter = new Lazy<Meter>(() => new Meter(TransferClient.MeterName, null, null, this));
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (listens && instrument.Meter.Scope == this)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    public IEnumerable<Record> All => _records;

    public Meter Create(MeterOptions options) => _meter.Value;

    /// <summary>Gets the measurements of an instrument.</summary>
    public Record[] Of(string instrument) => [.. _records.Where(record => record.Name == instrument)];

    /// <summary>Gets the sums of a counter, as "value of the attributes: sum".</summary>
    public string[] Sums(string instrument) =>
        [.. Of(instrument).GroupBy(record => record.Text).Select(group => $"{group.Key}: {group.Sum(record => record.Value)}").Order(StringComparer.Ordinal)];

    /// <summary>Reads the gauges.</summary>
    public void Observe() => _listener.RecordObservableInstruments();

    public void Clear() => _records.Clear();

    public void Dispose()
    {
        _listener.Dispose();
        if (_meter.IsValueCreated)
        {
            _meter.Value.Dispose();
        }
    }

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        => _records.Enqueue(new Record(instrument.Name, value, instrument.Unit, [.. tags]));

    public sealed record Record(string Name, double Value, string? Unit, KeyValuePair<string, object?>[] Tags)
    {
        public string Text => string.Join(", ", Tags.Select(tag => tag.Value));
    }
}
