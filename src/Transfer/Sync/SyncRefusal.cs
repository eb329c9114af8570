namespace Transfer.S3;

/// <summary>The reasons why a synchronization is refused.</summary>
public enum SyncRefusal
{
    /// <summary>The source doesn't exist. Nothing was changed.</summary>
    SourceMissing = 0,

    /// <summary>Nothing is selected at the source, and everything at the target would be deleted. Nothing was changed.</summary>
    SourceEmpty,

    /// <summary>The source and the target overlap. Nothing was changed.</summary>
    Overlap,
}
