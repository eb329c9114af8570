namespace Transfer.S3.Cli.Tracing;

/// <summary>What a cache did. There is none, but the format requires it.</summary>
internal sealed record HarCache;
