using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>A file under a name that can be guessed, and that is trusted with what this user wrote to it before.</summary>
/// <remarks>
/// Whoever else may write in the folder could have put something there: what is no regular file of this user's, is open to others, or has another name too, is
/// not opened. On systems other than Linux, a link is what is looked for.
/// </remarks>
internal static class OwnFile
{
    /// <summary>Opens a file to read and write it.</summary>
    /// <param name="folder">Where it is.</param>
    /// <param name="name">Its name.</param>
    /// <param name="create">Whether it is made where it is missing, for its owner alone.</param>
    /// <param name="locked">Whether it is to be this handle's alone.</param>
    /// <returns>Null where it is missing, somebody else's, or locked.</returns>
    public static SafeFileHandle? TryOpen(LocalFolder folder, string name, bool create, bool locked)
    {
        try
        {
            return OperatingSystem.IsLinux() && folder.Handle is { } handle ? OpenIn(handle, folder.PathOf(name), name, create, locked) : Open(folder.PathOf(name), create, locked);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Returns the sharing mode of the file while it is open.</summary>
    /// <remarks>
    /// Windows deletes or renames an open file only if all its handles share deletion (CreateFile, FILE_SHARE_DELETE), and these files are deleted while they are open. Unix
    /// always allows that, and there .NET takes an exclusive lock only for <see cref="FileShare.None"/>.
    /// </remarks>
    internal static FileShare ShareOf(bool locked, bool isWindows) => (locked, isWindows) switch
    {
        (true, true) => FileShare.Delete,
        (true, false) => FileShare.None,
        (false, true) => FileShare.Read | FileShare.Delete,
        (false, false) => FileShare.Read,
    };

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static SafeFileHandle? OpenIn(SafeFileHandle folder, string path, string name, bool create, bool locked)
    {
        SafeFileHandle file = Libc.OpenOwn(folder, name, create);

        // Its last owner may have deleted it between the two calls: then the lock is on a file that nobody finds any more.
        if (file.IsInvalid || !Libc.IsOwnAlone(file) || (locked && !(Libc.TryLock(file) && Libc.IsAt(file, path))))
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
            Share = ShareOf(locked, OperatingSystem.IsWindows()),
            BufferSize = 0,
        };
        if (create && !OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

#pragma warning disable CA2000 // its handle is what is wanted, and is disposed by whoever has it
        return new FileStream(path, options).SafeFileHandle;
#pragma warning restore CA2000
    }
}
