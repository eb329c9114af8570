namespace Transfer.S3;

/// <summary>The kind of a difference between a directory and a prefix.</summary>
public enum DifferenceKind
{
    /// <summary>The contents differ.</summary>
    Different = 0,

    /// <summary>There is an object but no file, or the key of the object can't be a file.</summary>
    MissingLocally,

    /// <summary>There is a file but no object.</summary>
    MissingInStore,

    /// <summary>The file and the object could not be compared without reading content that can't or must not be read.</summary>
    NotCompared,

    /// <summary>The comparison failed: the file or the object could not be read, or changed during the comparison.</summary>
    Failed,
}
