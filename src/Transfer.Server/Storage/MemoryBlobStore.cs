namespace Transfer.Server.Storage;

/// <summary>Keeps uploads as lists of blocks on the managed heap; the collector frees them when no object and no reader holds them.</summary>
internal sealed class MemoryBlobStore : IBlobStore
{
    public bool KeepsBytes => true;

    public IBlobWriter CreateWriter(long length) => new MemoryBlobWriter(length);
}
