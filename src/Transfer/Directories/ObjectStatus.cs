namespace Transfer.S3;

/// <summary>The status of one object in a transfer of many objects.</summary>
public enum ObjectStatus
{
    /// <summary>The object was transferred.</summary>
    Transferred = 0,

    /// <summary>The object was skipped because the target already exists.</summary>
    Skipped,

    /// <summary>The object would be transferred or deleted without <see cref="DirectoryOptions.DryRun"/> or <see cref="DeleteDirectoryOptions.DryRun"/>.</summary>
    Planned,

    /// <summary>The transfer of the object failed, or its name can't be used.</summary>
    Failed,

    /// <summary>The object was deleted, or somebody else deleted it after it was listed.</summary>
    Deleted,

    /// <summary>The object was skipped because it is archived (<see cref="ArchivedObjects.Skip"/>).</summary>
    Archived,

    /// <summary>The object is archived, and its restoration was requested or is in progress (<see cref="ArchivedObjects.Restore"/>). A dry run doesn't request it.</summary>
    Restoring,
}
