namespace Transfer.S3.Cli.Rendering;

/// <summary>One file or object that differs: a line of --json.</summary>
/// <param name="Difference">different, missing_here, missing_there, not_compared, or failed.</param>
/// <param name="Key">The key of the object, or the one that the file would have.</param>
/// <param name="Path">The path of the file, or the one that the object would have; null if the key can't be a file.</param>
/// <param name="Text">What differs, for people.</param>
internal sealed record DifferenceJson(string Difference, string Key, string? Path, string Text);
