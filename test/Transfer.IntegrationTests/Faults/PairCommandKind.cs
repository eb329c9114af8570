namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>The kinds of commands that run at the same time.</summary>
public enum PairCommandKind
{
    Sync,
    SyncDelete,
    Move,
    Remove,
    Copy,
}
