namespace Transfer.S3.Bench.Results;

/// <summary>The setting with the lowest concurrency that is within 5% of the best.</summary>
/// <param name="PartSizeBytes">The part size of the setting.</param>
/// <param name="Concurrency">The concurrency of the setting.</param>
internal sealed record BenchKnee(long? PartSizeBytes, int? Concurrency);
