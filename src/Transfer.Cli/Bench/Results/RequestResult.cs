namespace Transfer.Cli.Bench.Results;

/// <summary>The requests of one kind.</summary>
/// <param name="Kind">As Amazon S3's API calls it: GetObject, HeadObject, PutObject, UploadPart and so on.</param>
/// <param name="Count">Those that succeeded.</param>
/// <param name="FirstByteMs">Time to first byte.</param>
/// <param name="LatencyMs">Time to the end.</param>
internal sealed record RequestResult(string Kind, long Count, LatencyResult? FirstByteMs, LatencyResult? LatencyMs);
