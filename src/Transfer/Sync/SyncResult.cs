namespace Transfer.S3;

/// <summary>The result of a synchronization.</summary>
public sealed record SyncResult
{
    /// <summary>Gets the number of files, objects, or folders that were created.</summary>
    public required long Copied { get; init; }

    /// <summary>Gets the number of files or objects that were replaced.</summary>
    public required long Replaced { get; init; }

    /// <summary>Gets the number of files or objects that were deleted.</summary>
    public required long Deleted { get; init; }

    /// <summary>Gets the number of files or objects that were the same.</summary>
    public required long Kept { get; init; }

    /// <summary>Gets the number of targets that were left alone because something with their name exists at the source.</summary>
    public required long Shielded { get; init; }

    /// <summary>Gets the number of names that were left alone because writing or deleting them could have destroyed something else.</summary>
    public required long Conflicts { get; init; }

    /// <summary>Gets the number of names that failed.</summary>
    public required long FailedCount { get; init; }

    /// <summary>Gets the number of targets that were not deleted because something failed.</summary>
    public required long Withheld { get; init; }

    /// <summary>Gets the number of bytes that were copied.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the number of copied files or objects whose content was verified.</summary>
    public required long Verified { get; init; }

    /// <summary>Gets the number of copied objects that don't have all properties of their sources. <see cref="SyncOutcome.LostProperties"/> names the properties.</summary>
    public required long WithLostProperties { get; init; }

    /// <summary>Gets the first 1,000 conflicts and failures. <see cref="SyncOptions.ActionEnded"/> receives all of them.</summary>
    public required IReadOnlyList<SyncOutcome> Failures { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the synchronization.</summary>
    public required TransferStatistics Statistics { get; init; }

    /// <summary>Gets a value that indicates whether everything was done: nothing failed, and there were no conflicts.</summary>
    public bool IsComplete => FailedCount == 0 && Conflicts == 0 && Withheld == 0;
}
