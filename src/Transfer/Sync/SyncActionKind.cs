namespace Transfer.S3;

/// <summary>The kinds of actions of a synchronization.</summary>
public enum SyncActionKind
{
    /// <summary>The target has no such name: the source is copied.</summary>
    Copy = 0,

    /// <summary>The target differs from the source, or isn't known to be the same: it is replaced.</summary>
    Replace,

    /// <summary>The source has no such name, or it is excluded: the target is deleted.</summary>
    Delete,

    /// <summary>The target is the same as the source.</summary>
    Keep,

    /// <summary>The target can't be written without damage to something else, or has changed since it was listed. Nothing is written or deleted.</summary>
    Conflict,

    /// <summary>
    /// The target would be deleted, but something with its name exists at the source that could not be read or isn't synchronized. It stays.
    /// </summary>
    Shield,

    /// <summary>The source or the target could not be read, or the name can't be used at the target.</summary>
    Fail,
}
