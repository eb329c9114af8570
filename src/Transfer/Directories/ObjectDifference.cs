namespace Transfer.S3;

/// <summary>A difference between a directory and a prefix: a file, an object, or both, that are not known to be the same.</summary>
/// <param name="Kind">The kind of the difference.</param>
/// <param name="Key">The key of the object. If there is no object, it is the key that the file would have.</param>
/// <param name="Path">
/// The path of the file. If there is no file, it is the path that the object would have, or <see langword="null"/> if the key can't be a file.
/// </param>
/// <param name="Text">The description of the difference or the error.</param>
/// <param name="Error">The error; <see langword="null"/> if there was none.</param>
public sealed record ObjectDifference(DifferenceKind Kind, string Key, string? Path, string Text, Exception? Error = null);
