using System.Diagnostics.Metrics;

namespace Transfer.S3.IntegrationTests.Observability;

/// <summary>Gives the clients of one test a meter with a name of its own, because the OpenTelemetry SDK selects meters by name and other tests run at the same time.</summary>
internal sealed class NamedMeterFactory : IMeterFactory
{
    private readonly Lazy<Meter> _meter;

    public NamedMeterFactory() => _meter = new Lazy<Meter>(() => new Meter(Name, null, null, this));

    public string Name { get; } = $"test-{Guid.NewGuid():N}";

    /// <summary>Gets the names that the clients asked for.</summary>
    public List<string> Asked { get; } = [];

    public Meter Create(MeterOptions options)
    {
        Asked.Add(options.Name);
        return _meter.Value;
    }

    public void Dispose()
    {
        if (_meter.IsValueCreated)
        {
            _meter.Value.Dispose();
        }
    }
}
