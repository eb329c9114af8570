namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of a synchronization: numbers of files and objects.</summary>
internal sealed record SyncedJson(long Copied, long Replaced, long Deleted, long Kept, long Shielded, long Conflicts, long Failed, long Withheld)
{
    public static SyncedJson From(Counts counts)
        => new(counts.Copied, counts.Replaced, counts.Deleted, counts.Same, counts.Shielded, counts.Conflicts, counts.Failed, counts.Withheld);
}
