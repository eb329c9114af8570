using System.Diagnostics;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>A data file. It is deleted when its last reference is released.</summary>
internal sealed class FolderBlob(FolderBlobStore store, string id, long length) : IBlob
{
    private int _holders = 1;

    public string Id => id;

    public long Length => length;

    public bool KeepsBytes => true;

    public IBlobReader OpenReader() => new FolderBlobReader(store, id);

    public void AddReference()
    {
        int holders = Interlocked.Increment(ref _holders);
        Debug.Assert(holders > 1, "A reference was added after the file was deleted.");
    }

    public void Release()
    {
        if (Interlocked.Decrement(ref _holders) == 0)
        {
            store.Delete(id);
        }
    }
}
