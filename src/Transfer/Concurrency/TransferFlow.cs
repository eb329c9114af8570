namespace Transfer.S3.Concurrency;

/// <summary>One transfer's share of the request slots. All state is guarded by the lock of the <see cref="RequestQueue"/>.</summary>
/// <param name="direction">The direction in which the transfer moves data.</param>
/// <param name="limits">The rate limits of the transfer.</param>
internal sealed class TransferFlow(RequestDirection direction, RateLimits? limits = null)
{
    private int _mostInFlight = int.MaxValue;
    private bool _isEnding;
    private long _sentPartBytes;

    public RequestDirection Direction => direction;

    /// <summary>Gets or sets the share of the transfer, compared with others. It is set with <see cref="RequestQueue.Change"/>.</summary>
    public double Weight { get; set; } = 1;

    /// <summary>
    /// Gets or sets the maximum number of requests in flight. It is set with <see cref="RequestQueue.Change"/>, and can be read without the lock.
    /// </summary>
    public int MostInFlight
    {
        get => Volatile.Read(ref _mostInFlight);
        set => Volatile.Write(ref _mostInFlight, value);
    }

    /// <summary>Gets a value that indicates whether a rate limit of the transfer itself is set now, so that its requests can hold their slots for long.</summary>
    public bool IsRateLimited => limits is { IsOwnSet: true };

    /// <summary>Gets or sets the size of the parts that the transfer sends; 0 if it sends none. It can be used without the lock.</summary>
    public long SentPartBytes
    {
        get => Volatile.Read(ref _sentPartBytes);
        set => Volatile.Write(ref _sentPartBytes, value);
    }

    /// <summary>Gets the limit of the parts of this transfer alone, while it has a rate limit of its own; null before its first part.</summary>
    public SendLimit? OwnSendLimit { get; set; }

    /// <summary>Gets the maximum number of parts in flight with which the rate limits allow one to be confirmed in time.</summary>
    public int MostSentParts => limits is null ? int.MaxValue : limits.MostParts(SentPartBytes);

    /// <summary>Gets or sets the number of requests in flight.</summary>
    public int InFlight { get; set; }

    /// <summary>Gets a value that indicates whether the transfer has reached its maximum number of requests in flight.</summary>
    public bool IsFull => InFlight >= MostInFlight;

    /// <summary>Gets or sets a value that indicates whether the lines with waiting requests are in their lanes. They aren't while the transfer is full.</summary>
    public bool IsInLanes { get; set; } = true;

    /// <summary>
    /// Gets or sets a value that indicates whether no requests follow those that are in flight or about to wait. It can be used without the lock.
    /// </summary>
    public bool IsEnding
    {
        get => Volatile.Read(ref _isEnding);
        set => Volatile.Write(ref _isEnding, value);
    }

    /// <summary>Gets the virtual times, in bytes, up to which the transfer was served, by class.</summary>
    public double[] Served { get; } = new double[RequestQueue.Classes];

    /// <summary>Gets the number of requests of the transfer that wait for a slot.</summary>
    public int Waiting => Lines.Sum(static line => line?.Waiters.Count ?? 0);

    /// <summary>Gets the waiting requests by class. An entry is null until the first request of its class has to wait.</summary>
    public FlowQueue?[] Lines { get; } = new FlowQueue?[RequestQueue.Classes];
}
