namespace Transfer.Benchmarks.Compare;

/// <summary>A change of a server's shaping while a contender is measured.</summary>
/// <param name="After">The time since the contender's first request.</param>
/// <param name="Shaping">What applies from then on.</param>
internal sealed record ShapingChange(TimeSpan After, Shaping Shaping);
