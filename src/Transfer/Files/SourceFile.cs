using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>A path of this machine that is open for reading: a file, or something that can only be read in order to its end.</summary>
/// <remarks>
/// <para>A path is opened once. On Linux it is looked at first, without being opened: to open a pipe lets its writer through, and to open a device may do
/// anything.</para>
/// <para>A file is locked as .NET's own file streams lock it, so that one that is open for exclusive writing is refused.</para>
/// </remarks>
internal sealed class SourceFile : IDisposable
{
    private readonly FileKind _kind;
    private readonly bool _isLocked;

    private SourceFile(SafeFileHandle handle, FileKind kind, bool isFile, bool isLocked)
    {
        Handle = handle;
        IsFile = isFile;
        _kind = kind;
        _isLocked = isLocked;
    }

    public SafeFileHandle Handle { get; }

    /// <summary>
    /// Gets whether it has a length and can be read at any offset. A pipe and most devices can't. Nor can a file of <c>/proc</c> or <c>/sys</c>, which is
    /// generated while it is read.
    /// </summary>
    public bool IsFile { get; }

    /// <summary>Gets whether it is a pipe; false on systems other than Linux.</summary>
    public bool IsPipe => _kind.IsPipe;

    // The switch of .NET's own locks: for file systems where they do harm.
    private static bool Locks { get; } = !((AppContext.TryGetSwitch("System.IO.DisableFileLocking", out bool isOff) && isOff)
        || Environment.GetEnvironmentVariable("DOTNET_SYSTEM_IO_DISABLEFILELOCKING") is "1" or "true");

    /// <summary>Opens whatever is under a path. Only on systems other than Linux may that wait, for the writer of a pipe.</summary>
    /// <exception cref="IOException">It is not there, or it is open for exclusive writing.</exception>
    /// <exception cref="UnauthorizedAccessException">It is a folder, or it must not be read.</exception>
    public static SourceFile Open(string path, FileShare share)
        => (OperatingSystem.IsLinux() ? OpenLooking(path, null, share, onlyFiles: false) : OpenPortably(path, share))!;

    /// <summary>Opens a regular file.</summary>
    /// <param name="path">Where it is.</param>
    /// <param name="root">The folder from which no link may lead there; null where links are followed.</param>
    /// <param name="share">What others may do with it meanwhile. Linux only tells whether one of them writes exclusively.</param>
    /// <returns>Null for what is no file: it is not opened on Linux.</returns>
    /// <exception cref="IOException">It is not there, a link leads there, or it is open for exclusive writing.</exception>
    public static SourceFile? TryOpenFile(string path, string? root, FileShare share)
    {
        if (OperatingSystem.IsLinux())
        {
            return OpenLooking(path, root, share, onlyFiles: true);
        }

        SourceFile file = OpenPortably(path, share);
        if (file.IsFile)
        {
            return file;
        }

        file.Dispose();
        return null;
    }

    /// <summary>Gets the length in bytes, as it is now.</summary>
    public long GetLength()
        => OperatingSystem.IsLinux() && _kind.IsBlockDevice ? Libc.EndOf(Handle) ?? throw Libc.Failed("The length of the device could not be determined") : RandomAccess.GetLength(Handle);

    /// <summary>Gets the length in bytes and the last-write time, as they are now.</summary>
    public (long Length, DateTime LastWriteUtc) GetState()
    {
        if (!OperatingSystem.IsLinux() || Libc.StateOf(Handle) is not { } state)
        {
            return (GetLength(), File.GetLastWriteTimeUtc(Handle));
        }

        return _kind.IsBlockDevice ? state with { Length = GetLength() } : state;
    }

    public void Dispose()
    {
        if (_isLocked && OperatingSystem.IsLinux() && !Handle.IsClosed)
        {
            Libc.Unlock(Handle);
        }

        Handle.Dispose();
    }

    [SupportedOSPlatform("linux")]
    private static SourceFile? OpenLooking(string path, string? root, FileShare share, bool onlyFiles)
    {
        using SafeFileHandle found = root is null ? Libc.OpenPath(path) : SourceFolder.FindFile(root, path);
        FileKind kind = found.IsInvalid ? default : Libc.KindOf(found);
        if (onlyFiles && kind is { IsThere: true, IsRegularFile: false })
        {
            return kind.IsLink ? throw SourceFolder.NotFollowed(path) : null;
        }

        if (root is null && (!kind.IsThere || kind.IsFolder))
        {
            return OpenPortably(path, share); // which says what is wrong as .NET's callers know it
        }

        SafeFileHandle handle = Libc.HasProc ? Libc.Reopen(found) : root is null ? Libc.OpenToRead(path) : SourceFolder.OpenFile(root, path);
        if (handle.IsInvalid)
        {
            Exception failure = Libc.Failed($"'{path}' could not be opened");
            handle.Dispose();
            return root is null && kind.IsRegularFile ? OpenPortably(path, share) : throw failure;
        }

        try
        {
            SourceFile file = Of(handle, Libc.HasProc ? kind : Libc.KindOf(handle), path);
            if (!onlyFiles || file._kind.IsRegularFile)
            {
                return file;
            }

            file.Dispose(); // without a /proc, something else may have the name by now
            return null;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    [SupportedOSPlatform("linux")]
    private static SourceFile Of(SafeFileHandle handle, FileKind kind, string path)
    {
        bool isFile = kind.IsBlockDevice ? Libc.EndOf(handle) is not null : kind.IsRegularFile && !IsGenerated(handle);
        bool isLocked = isFile && Locks;
        return !isLocked || Libc.TryLockShared(handle)
            ? new SourceFile(handle, kind, isFile, isLocked)
            : throw new IOException($"The process cannot access the file '{Path.GetFullPath(path)}' because it is being used by another process.", Libc.TryAgain);
    }

    /// <summary>Gets whether a file has other content than its length says: of their files, <c>/proc</c> says 0 and <c>/sys</c> a page.</summary>
    [SupportedOSPlatform("linux")]
    private static bool IsGenerated(SafeFileHandle handle)
    {
        long length = RandomAccess.GetLength(handle);
        if (length != 0 && length != Environment.SystemPageSize)
        {
            return false;
        }

        // Not what moves the file's position or takes content away. What can't be asked this way has no length.
        int count = Libc.ReadAt(handle, stackalloc byte[1], Math.Max(length - 1, 0));
        return (length == 0 ? count != 0 : count == 0) && RandomAccess.GetLength(handle) == length;
    }

    private static SourceFile OpenPortably(string path, FileShare share)
    {
        SafeFileHandle handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, share, FileOptions.SequentialScan);
        try
        {
            _ = RandomAccess.GetLength(handle);
            return new SourceFile(handle, default, isFile: true, isLocked: false);
        }
        catch (NotSupportedException)
        {
            return new SourceFile(handle, default, isFile: false, isLocked: false);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }
}
