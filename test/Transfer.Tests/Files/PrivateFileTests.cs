using Transfer.S3.Files;

namespace Transfer.S3.Tests.Files;

public sealed class PrivateFileTests
{
    /// <summary>
    /// Windows deletes and renames an open file only if it is shared for deletion. No other handle may read or write a locked file.
    /// </summary>
    [Fact]
    public void ShareOf_OnWindows_OpenFilesCanBeDeleted()
    {
        Assert.Equal(FileShare.Delete, PrivateFile.GetShare(locked: true, isWindows: true));
        Assert.Equal(FileShare.Read | FileShare.Delete, PrivateFile.GetShare(locked: false, isWindows: true));
    }

    /// <summary>On Unix, .NET takes an exclusive lock only for FileShare.None. With any other value, several handles can hold the lock.</summary>
    [Fact]
    public void ShareOf_OnUnix_LockIsExclusive()
    {
        Assert.Equal(FileShare.None, PrivateFile.GetShare(locked: true, isWindows: false));
        Assert.Equal(FileShare.Read, PrivateFile.GetShare(locked: false, isWindows: false));
    }
}
