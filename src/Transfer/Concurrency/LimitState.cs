namespace Transfer.S3.Concurrency;

/// <summary>The state of the concurrency of one direction, and what it says about the factor that limits transfers.</summary>
internal readonly record struct LimitState
{
    public ConcurrencyState Concurrency { get; init; }

    /// <summary>Gets a value that indicates whether the client has found the limit, or knows that it is the highest.</summary>
    public bool HasKnee { get; init; }

    /// <summary>Gets a value that indicates whether the limit is the highest that the client chooses.</summary>
    public bool IsAtHighest { get; init; }

    /// <summary>Gets a value that indicates whether the store has rejected requests in the last seconds.</summary>
    public bool IsHeld { get; init; }

    /// <summary>Gets a value that indicates whether requests delay each other.</summary>
    public bool IsCrowded { get; init; }
}
