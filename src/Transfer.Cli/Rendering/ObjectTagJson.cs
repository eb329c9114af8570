namespace Transfer.S3.Cli.Rendering;

/// <summary>One tag of an object: a line of --json.</summary>
internal sealed record ObjectTagJson(string Tag, string Value);
