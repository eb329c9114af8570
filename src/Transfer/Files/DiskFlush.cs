using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Flushes files and directories with fsync. Windows doesn't support flushing a directory, and doesn't need it.</summary>
internal sealed partial class DiskFlush : IDiskFlush
{
    public static readonly DiskFlush Instance = new();

    private const int ReadOnly = 0;
    private const int InvalidArgument = 22; // EINVAL: the file system can't flush directories

    private DiskFlush()
    {
    }

    public void File(SafeFileHandle handle) => RandomAccess.FlushToDisk(handle);

    public void Folder(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        int file = Open(path, ReadOnly);
        if (file < 0)
        {
            throw Failed("opened", path);
        }

        try
        {
            if (FSync(file) != 0 && Marshal.GetLastPInvokeError() != InvalidArgument)
            {
                throw Failed("flushed to disk", path);
            }
        }
        finally
        {
            _ = Close(file);
        }
    }

    private static IOException Failed(string what, string path) => new($"The directory '{path}' could not be {what}: {Marshal.GetLastPInvokeErrorMessage()}");

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int FSync(int file);

    [LibraryImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Close(int file);
}
