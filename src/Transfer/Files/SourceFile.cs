using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>A local path that is open for reading: a file, or an entry that can only be read in order to its end.</summary>
/// <remarks>
/// <para>
/// A path is opened once. On Linux, it is examined first without being opened, because opening a pipe unblocks its writer, and opening a device can have any effect.
/// </para>
/// <para>A file is locked in the same way as by .NET's file streams, so that a file that is open for exclusive writing is rejected.</para>
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
    /// Gets a value that indicates whether the entry has a length and can be read at any offset. Pipes and most devices can't. Files of <c>/proc</c> and <c>/sys</c>
    /// can't either, because they are generated while they are read.
    /// </summary>
    public bool IsFile { get; }

    /// <summary>Gets a value that indicates whether the entry is a pipe; false on systems other than Linux.</summary>
    public bool IsPipe => _kind.IsPipe;

    // The setting that disables .NET's own locks, for file systems on which they cause errors.
    private static bool Locks { get; } = !((AppContext.TryGetSwitch("System.IO.DisableFileLocking", out bool isOff) && isOff)
        || Environment.GetEnvironmentVariable("DOTNET_SYSTEM_IO_DISABLEFILELOCKING") is "1" or "true");

    /// <summary>Opens any kind of entry. It waits for the writer of a pipe on systems other than Linux only.</summary>
    /// <exception cref="IOException">Thrown when the entry doesn't exist or is open for exclusive writing.</exception>
    /// <exception cref="UnauthorizedAccessException">Thrown when the path is a directory, or access is denied.</exception>
    public static SourceFile Open(string path, FileShare share)
        => (OperatingSystem.IsLinux() ? OpenLooking(path, null, share, onlyFiles: false) : OpenPortably(path, share))!;

    /// <summary>Opens a regular file.</summary>
    /// <param name="path">The path.</param>
    /// <param name="root">The directory below which no link is followed; null to follow links.</param>
    /// <param name="share">The access that others can have to the file. On Linux, .NET detects only exclusive writers.</param>
    /// <returns>Null if the entry isn't a file. On Linux, it isn't opened then.</returns>
    /// <exception cref="IOException">Thrown when the file doesn't exist, is reached through a link, or is open for exclusive writing.</exception>
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

    /// <summary>Gets the current length, in bytes.</summary>
    public long GetLength()
        => OperatingSystem.IsLinux() && _kind.IsBlockDevice ? Libc.GetEnd(Handle) ?? throw Libc.Failed("The length of the device could not be determined") : RandomAccess.GetLength(Handle);

    /// <summary>Gets the current state. Of a device, it is only the length and the last-write time.</summary>
    public FileIdentity GetState() => FileIdentity.Of(Handle) ?? new FileIdentity(GetLength(), File.GetLastWriteTimeUtc(Handle).Ticks, 0, 0);

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
        FileKind kind = found.IsInvalid ? default : Libc.GetKind(found);
        if (onlyFiles && kind is { IsThere: true, IsRegularFile: false })
        {
            return kind.IsLink ? throw SourceFolder.NotFollowed(path) : null;
        }

        if (root is null && (!kind.IsThere || kind.IsFolder))
        {
            return OpenPortably(path, share); // this throws the exceptions of .NET
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
            SourceFile file = Create(handle, Libc.HasProc ? kind : Libc.GetKind(handle), path);
            if (!onlyFiles || file._kind.IsRegularFile)
            {
                return file;
            }

            file.Dispose(); // without /proc, the name may refer to another entry by now
            return null;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    [SupportedOSPlatform("linux")]
    private static SourceFile Create(SafeFileHandle handle, FileKind kind, string path)
    {
        bool isFile = kind.IsBlockDevice ? Libc.GetEnd(handle) is not null : kind.IsRegularFile && !IsGenerated(handle);
        bool isLocked = isFile && Locks;
        return !isLocked || Libc.TryLockShared(handle)
            ? new SourceFile(handle, kind, isFile, isLocked)
            : throw new IOException($"The process cannot access the file '{Path.GetFullPath(path)}' because it is being used by another process.", Libc.TryAgain);
    }

    /// <summary>Returns whether the length of a file is not that of its content: in <c>/proc</c>, it is 0, and in <c>/sys</c>, a page.</summary>
    [SupportedOSPlatform("linux")]
    private static bool IsGenerated(SafeFileHandle handle)
    {
        long length = RandomAccess.GetLength(handle);
        if (length != 0 && length != Environment.SystemPageSize)
        {
            return false;
        }

        // Only calls that don't change the position or consume data are used. An entry that doesn't support them has no length.
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
