namespace Transfer.S3.Server.Storage;

/// <summary>Stores uploads as lists of blocks on the managed heap.</summary>
internal sealed class MemoryBlobStore : IBlobStore
{
    private readonly MemoryBlockPool _pool = new();

    public bool KeepsBytes => true;

    public IBlobWriter CreateWriter(long length) => new MemoryBlobWriter(_pool, length);
}
