namespace Transfer.S3;

/// <summary>A difference between a directory and a prefix: a file, an object, or both, that are not known to be the same.</summary>
public sealed record ObjectDifference
{
    /// <summary>Gets the kind of the difference.</summary>
    public required DifferenceKind Kind { get; init; }

    /// <summary>Gets the key of the object. If there is no object, it is the key that the file would have.</summary>
    public required string Key { get; init; }

    /// <summary>
    /// Gets the path of the file. If there is no file, it is the path that the object would have, or <see langword="null"/> if the key can't be a file.
    /// </summary>
    public string? Path { get; init; }

    /// <summary>Gets the description of the difference or the error.</summary>
    public required string Text { get; init; }

    /// <summary>Gets the error; <see langword="null"/> if there was none.</summary>
    public Exception? Error { get; init; }
}
