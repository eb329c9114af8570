namespace Transfer.S3.Concurrency;

/// <summary>The lanes of one direction that share a limit: those of large requests, or those of small ones.</summary>
/// <remarks>
/// Few large requests fill a link, but small ones are mostly latency, so neither limit says anything about the other. All state is guarded by the lock of the
/// <see cref="RequestQueue"/>.
/// </remarks>
/// <param name="controller">Determines the limit; null if only the number that the user chose counts.</param>
internal sealed class LaneGroup(ConcurrencyController? controller)
{
    private int _inFlight;
    private int _waiting;

    /// <summary>Gets what measures the requests; null if only the number that the user chose counts.</summary>
    public LoadMeter? Meter { get; } = controller is null ? null : new LoadMeter(controller);

    /// <summary>Gets the maximum number of requests in flight.</summary>
    public int Limit => Meter?.Limit ?? int.MaxValue;

    /// <summary>Gets or sets the number of slots that requests of the lanes occupy.</summary>
    public int InFlight
    {
        get => Volatile.Read(ref _inFlight);
        set => Volatile.Write(ref _inFlight, value);
    }

    /// <summary>Gets or sets the number of requests in flight that don't count for the limit.</summary>
    public int Uncounted { get; set; }

    /// <summary>Gets the number of requests in flight that count for the limit.</summary>
    public int Counted => InFlight - Uncounted;

    /// <summary>Gets or sets the number of requests that wait in the lanes.</summary>
    public int Waiting
    {
        get => Volatile.Read(ref _waiting);
        set => Volatile.Write(ref _waiting, value);
    }

    /// <summary>Accounts for the time since the last call, during which nothing changed.</summary>
    /// <param name="now">The time, in seconds.</param>
    public void Advance(double now) => Meter?.Advance(now, Counted, Waiting > 0);
}
