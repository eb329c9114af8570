namespace Transfer.Cli.Rendering;

/// <summary>One file or object that is not the same on both sides. A line of --json.</summary>
/// <param name="Difference">different, missing_here, missing_there, not_compared or failed.</param>
/// <param name="Key">The object's key, or the one that the file's would be.</param>
/// <param name="Path">The file's path, or the one that the object's would be; null where the key can't be a file.</param>
/// <param name="Text">What differs, for a person.</param>
internal sealed record DifferenceJson(string Difference, string Key, string? Path, string Text);
