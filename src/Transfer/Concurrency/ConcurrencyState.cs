namespace Transfer;

/// <summary>How many requests of one direction a client has in flight, and how many it allows.</summary>
/// <param name="Limit">The number of requests that can be in flight.</param>
/// <param name="InFlight">The number of requests in flight.</param>
/// <param name="Efficiency">
/// The share of the best time in the time that requests take: 1 if requests don't delay each other, and 1/2 if each gets half of what it could have. It is null if the
/// concurrency was set, or if nothing was measured yet.
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
