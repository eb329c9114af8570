namespace Transfer.S3.Cli.Rendering;

/// <summary>The properties that copies don't have, in the result that --json writes.</summary>
/// <param name="Objects">The number of objects that don't have all properties of their sources.</param>
/// <param name="Properties">The names of these properties, each once.</param>
internal sealed record LostJson(long Objects, IReadOnlyList<string> Properties);
