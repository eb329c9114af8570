namespace Transfer;

/// <summary>In what way a file and an object are not known to be the same.</summary>
public enum DifferenceKind
{
    /// <summary>Their bytes differ.</summary>
    Different = 0,

    /// <summary>There is an object and no file, or the object's key can't be a file.</summary>
    MissingHere,

    /// <summary>There is a file and no object.</summary>
    MissingThere,

    /// <summary>Nothing could tell without reading what must not or can't be read.</summary>
    NotCompared,

    /// <summary>The comparison failed: the file or the object could not be read, or changed meanwhile.</summary>
    Failed,
}
