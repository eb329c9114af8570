namespace Transfer.S3.Cli.Rendering;

/// <summary>The concurrency of one direction.</summary>
/// <param name="Limit">The number of requests that can be in flight.</param>
/// <param name="Efficiency">The share of the best time in the time that requests take; null if it is not known.</param>
internal sealed record DirectionJson(int Limit, double? Efficiency)
{
    public static DirectionJson From(ConcurrencyState state) => new(state.Limit, state.Efficiency is { } efficiency ? Math.Round(efficiency, 3) : null);
}
