namespace Transfer.S3.Server.Storage;

/// <summary>Counts the bytes of uploads and discards them.</summary>
internal sealed class DiscardBlobStore : IBlobStore
{
    public bool KeepsBytes => false;

    public IBlobWriter CreateWriter(long length) => new DiscardBlobWriter();
}
