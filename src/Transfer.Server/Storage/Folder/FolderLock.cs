namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Locks a directory, so that no other server can use it.</summary>
internal static class FolderLock
{
    public static IDisposable Take(FolderLayout layout)
    {
        try
        {
            return new FileStream(layout.LockFile, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException exception)
        {
            throw new IOException($"Another server uses the directory of {layout.LockFile}.", exception);
        }
    }
}
