namespace Transfer.S3.Bench.Results;

/// <summary>An error in a report.</summary>
/// <param name="Key">The key of the object; null if the error isn't about one object.</param>
/// <param name="Error">What happened, for people.</param>
/// <param name="RequestId">The request ID, for the support of the store.</param>
internal sealed record BenchError(string? Key, string Error, string? RequestId);
