using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Opens files with predictable names whose content is trusted because this user wrote it.</summary>
/// <remarks>
/// Other users who can write to the directory could have created the file. So a file isn't opened unless it is a regular file that this user owns, that others can't
/// access, and that has no other name. On systems other than Linux, only links are rejected.
/// </remarks>
internal static class PrivateFile
{
    /// <summary>Opens a file for reading and writing.</summary>
    /// <param name="folder">The directory.</param>
    /// <param name="name">The name.</param>
    /// <param name="create">Whether the file is created if it doesn't exist. Only its owner can access it then.</param>
    /// <param name="locked">Whether the file is locked exclusively.</param>
    /// <param name="canBeShared">Whether other users can access the file, because its content isn't trusted.</param>
    /// <returns>Null if the file doesn't exist, belongs to another user, or is locked.</returns>
    public static SafeFileHandle? TryOpen(LocalFolder folder, string name, bool create, bool locked, bool canBeShared = false)
    {
        try
        {
            return OperatingSystem.IsLinux() && folder.Handle is { } handle ? OpenIn(handle, folder.GetPath(name), name, create, locked, canBeShared) : Open(folder.GetPath(name), create, locked);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Returns the sharing mode of the file while it is open.</summary>
    /// <remarks>
    /// Windows deletes or renames an open file only if all its handles share deletion (CreateFile, FILE_SHARE_DELETE), and these files are deleted while they are
    /// open. Unix always allows that, and there .NET takes an exclusive lock only for <see cref="FileShare.None"/>.
    /// </remarks>
    internal static FileShare GetShare(bool locked, bool isWindows) => (locked, isWindows) switch
    {
        (true, true) => FileShare.Delete,
        (true, false) => FileShare.None,
        (false, true) => FileShare.Read | FileShare.Delete,
        (false, false) => FileShare.Read,
    };

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static SafeFileHandle? OpenIn(SafeFileHandle folder, string path, string name, bool create, bool locked, bool canBeShared)
    {
        SafeFileHandle file = Libc.OpenOwn(folder, name, create);

        // The previous owner may have deleted the file between the two calls. The lock is then on a file that no later run can find.
        if (file.IsInvalid || !Libc.IsOwnAlone(file, canBeShared) || (locked && !(Libc.TryLock(file) && Libc.IsAt(file, path))))
        {
            file.Dispose();
            return null;
        }

        return file;
    }

    private static SafeFileHandle? Open(string path, bool create, bool locked)
    {
        FileInfo there = new(path);
        if (there.LinkTarget is not null || (!create && !there.Exists))
        {
            return null;
        }

        FileStreamOptions options = new()
        {
            Mode = create ? FileMode.OpenOrCreate : FileMode.Open,
            Access = FileAccess.ReadWrite,
            Share = GetShare(locked, OperatingSystem.IsWindows()),
            BufferSize = 0,
        };
        if (create && !OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

#pragma warning disable CA2000 // only its handle is needed, which its owner disposes
        return new FileStream(path, options).SafeFileHandle;
#pragma warning restore CA2000
    }
}
