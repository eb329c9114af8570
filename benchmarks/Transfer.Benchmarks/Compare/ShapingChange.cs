namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A change of a server's shaping during the measurement of a contender.</summary>
/// <param name="After">The time since the contender's first request.</param>
/// <param name="Shaping">The shaping from then on.</param>
internal sealed record ShapingChange(TimeSpan After, Shaping Shaping);
