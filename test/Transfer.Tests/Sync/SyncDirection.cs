namespace Transfer.S3.Tests.Sync;

/// <summary>The directions of a synchronization.</summary>
public enum SyncDirection
{
    Upload,
    Download,
    Inside,
    Between,
}
