namespace Transfer.Cli.Bench.Results;

/// <summary>The setting with the smallest concurrency that is within 5 % of the best.</summary>
/// <param name="PartSizeBytes">As in the setting.</param>
/// <param name="Concurrency">As in the setting.</param>
internal sealed record BenchKnee(long? PartSizeBytes, int? Concurrency);
