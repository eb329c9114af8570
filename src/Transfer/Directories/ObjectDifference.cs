namespace Transfer;

/// <summary>One file, one object, or both, that are not known to be the same.</summary>
/// <param name="Kind">In what way.</param>
/// <param name="Key">The object's key, or the one that the file's would be.</param>
/// <param name="Path">The file's path, or the one that the object's would be; null where the key can't be a file.</param>
/// <param name="Text">What differs or went wrong, for a person.</param>
/// <param name="Error">The failure; null where there was none.</param>
public sealed record ObjectDifference(DifferenceKind Kind, string Key, string? Path, string Text, Exception? Error = null);
