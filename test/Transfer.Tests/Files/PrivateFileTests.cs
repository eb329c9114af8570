using Transfer.Files;

namespace Transfer.Tests.Files;

public sealed class PrivateFileTests
{
    /// <summary>Windows removes and renames an open file only if it is shared for that; nobody else may read or write one that is locked.</summary>
    [Fact]
    public void ShareOf_OnWindows_OpenFilesCanBeDeleted()
    {
        Assert.Equal(FileShare.Delete, PrivateFile.ShareOf(locked: true, isWindows: true));
        Assert.Equal(FileShare.Read | FileShare.Delete, PrivateFile.ShareOf(locked: false, isWindows: true));
    }

    /// <summary>.NET takes the lock of one handle alone only where nothing is shared; elsewhere it is one that many can have.</summary>
    [Fact]
    public void ShareOf_OnUnix_TheLockIsForOneHandleAlone()
    {
        Assert.Equal(FileShare.None, PrivateFile.ShareOf(locked: true, isWindows: false));
        Assert.Equal(FileShare.Read, PrivateFile.ShareOf(locked: false, isWindows: false));
    }
}
