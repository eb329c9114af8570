namespace Transfer.S3.Cli.Rendering;

/// <summary>One common prefix of a listing: a line of --json.</summary>
internal sealed record ListedPrefixJson(string Prefix);
