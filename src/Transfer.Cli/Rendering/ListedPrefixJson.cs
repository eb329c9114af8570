namespace Transfer.Cli.Rendering;

/// <summary>One common prefix of a listing. A line of --json.</summary>
internal sealed record ListedPrefixJson(string Prefix);
