using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>What the layers of <see cref="RequestPipeline"/> need to know about a request.</summary>
/// <param name="Cost">The class and the cost.</param>
internal readonly record struct RequestRules(RequestCost Cost)
{
    /// <summary>Gets the rules of a request without data.</summary>
    public static RequestRules Lookup => new(RequestCost.Lookup);

    /// <summary>Gets the time after which an attempt without activity fails; null for the stall timeout.</summary>
    public TimeSpan? Silence { get; init; }

    /// <summary>Gets the token that cancels an attempt in flight; null for the token of the caller.</summary>
    public CancellationToken? UnderWay { get; init; }

    /// <summary>Gets a value that indicates whether an attempt that is overdue can be given up, because the request has the same effect if it is carried out twice.</summary>
    public bool CanRepeat { get; init; }

    /// <summary>
    /// Gets a value that indicates whether a pause can interrupt an attempt. A request that creates or completes an object has its own timeout or token. It isn't
    /// interrupted, because its outcome must be known.
    /// </summary>
    public bool CanInterrupt => Silence is null && UnderWay is null;
}
