namespace Transfer;

/// <summary>What became of one object of a transfer of many.</summary>
public enum ObjectStatus
{
    /// <summary>It is there.</summary>
    Transferred = 0,

    /// <summary>It was left alone, because something was there already.</summary>
    Skipped,

    /// <summary>It would be moved, if this were not <see cref="DirectoryOptions.DryRun"/>.</summary>
    Planned,

    /// <summary>It failed, or its name can't be taken.</summary>
    Failed,
}
