namespace Transfer.S3.Cli.Rendering;

/// <summary>What a progress line shows besides the progress.</summary>
/// <param name="Elapsed">The time since the start.</param>
/// <param name="Requests">The number of requests in flight.</param>
internal readonly record struct ProgressActivity(TimeSpan Elapsed, int Requests);
