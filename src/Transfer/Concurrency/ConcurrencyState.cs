namespace Transfer.S3;

/// <summary>The number of concurrent requests of one direction that a client has in flight, and the number that it allows.</summary>
/// <param name="Limit">The maximum number of concurrent requests.</param>
/// <param name="InFlight">The number of requests in flight.</param>
/// <param name="Efficiency">
/// The best time that requests took divided by the time that they take now: 1 if requests don't delay each other, and 1/2 if each takes twice as long. It is
/// <see langword="null"/> if the concurrency is configured, or if nothing has been measured yet.
/// </param>
public readonly record struct ConcurrencyState(int Limit, int InFlight, double? Efficiency)
{
    /// <summary>Gets a value that indicates whether the client has found the limit, or knows that it is the highest.</summary>
    internal bool HasKnee { get; init; }

    /// <summary>Gets a value that indicates whether the limit is the highest that the client chooses.</summary>
    internal bool IsAtHighest { get; init; }

    /// <summary>Gets a value that indicates whether the store has rejected requests in the last seconds.</summary>
    internal bool IsHeld { get; init; }

    /// <summary>Gets a value that indicates whether requests delay each other.</summary>
    internal bool IsCrowded { get; init; }
}
