namespace Transfer.S3.Bench.Results;

/// <summary>The result for one kind of request.</summary>
/// <param name="Kind">The name of the S3 operation, such as GetObject or UploadPart.</param>
/// <param name="Count">The number of requests that succeeded.</param>
/// <param name="FirstByteMs">The time to first byte.</param>
/// <param name="LatencyMs">The latency of the whole request.</param>
internal sealed record RequestResult(string Kind, long Count, LatencyResult? FirstByteMs, LatencyResult? LatencyMs);
