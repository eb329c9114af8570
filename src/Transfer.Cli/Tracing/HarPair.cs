namespace Transfer.S3.Cli.Tracing;

/// <summary>A header or a parameter.</summary>
internal sealed record HarPair(string Name, string Value);
