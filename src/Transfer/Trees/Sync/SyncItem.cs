namespace Transfer.S3.Trees;

/// <summary>A name at the source, with its target, for which something has to be done or compared.</summary>
/// <param name="Source">The source; null if the action is about the target only.</param>
/// <param name="Target">The target; null if there is none.</param>
/// <param name="Action">The action; null if both have to be compared first.</param>
internal sealed record SyncItem(TreeEntry? Source, TreeEntry? Target, Outcome? Action)
{
    /// <summary>Gets what the last run knew about both sides, if the file has to be read to know whether that is still so; otherwise, null.</summary>
    public SyncStateEntry? Former { get; init; }

    public long Length => Source?.Length ?? 0;
}
