namespace Transfer.S3;

/// <summary>The number of concurrent requests of one direction that a client has in flight, and the number that it allows.</summary>
public readonly record struct ConcurrencyState
{
    /// <summary>Gets the maximum number of concurrent requests.</summary>
    public int Limit { get; init; }

    /// <summary>Gets the number of requests in flight.</summary>
    public int InFlight { get; init; }

    /// <summary>
    /// Gets the best time that requests took divided by the time that they take now: 1 if requests don't delay each other, and 1/2 if each takes twice as
    /// long. It is <see langword="null"/> if the concurrency is configured, or if nothing has been measured yet.
    /// </summary>
    public double? Efficiency { get; init; }
}
