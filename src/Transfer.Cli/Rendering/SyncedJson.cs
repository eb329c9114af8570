namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of a synchronization: numbers of files and objects.</summary>
internal sealed record SyncedJson(long Copied, long Replaced, long Deleted, long Kept, long Shielded, long Conflicts, long Failed, long Withheld);
