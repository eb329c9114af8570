namespace Transfer.S3.Cli.Rendering;

/// <summary>What is stored under a prefix: a line of --json.</summary>
internal sealed record UsageJson(string Prefix, long Objects, long Bytes);
