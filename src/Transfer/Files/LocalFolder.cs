using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>A local directory that is kept open, so that everything that is written to it stays in it.</summary>
/// <remarks>
/// On Linux, names are looked up from an open handle. If the directory is moved or replaced with a link, nothing is written elsewhere. On other systems,
/// only the path is known, and a link that replaces the directory after the check is followed.
/// </remarks>
internal sealed class LocalFolder : IDisposable
{
    private LocalFolder(string path, SafeFileHandle? handle)
    {
        Path = path;
        Handle = handle;
    }

    /// <summary>Gets the path of the directory at the time when it was opened.</summary>
    public string Path { get; }

    /// <summary>Gets the open handle; null except on Linux with /proc.</summary>
    public SafeFileHandle? Handle { get; }

    /// <summary>Gets a value that indicates whether <see cref="OpenChild"/> created the directory, so that nothing from before can be in it.</summary>
    public bool IsNew { get; private init; }

    /// <summary>Gets or sets a value that indicates whether a file that was created without a name can be given one, as far as is known.</summary>
    public bool LinksUnnamed { get; set; } = true;

    /// <summary>Opens a directory. It and its parents are created if they don't exist. Links are followed, because the caller provides the path.</summary>
    public static LocalFolder Open(string path)
    {
        Directory.CreateDirectory(path);
        if (!OperatingSystem.IsLinux() || !Libc.HasProc)
        {
            return new LocalFolder(path, null);
        }

        SafeFileHandle handle = Libc.OpenFolder(path);
        return handle.IsInvalid ? throw Libc.Failed($"The directory '{path}' could not be opened") : new LocalFolder(path, handle);
    }

    /// <summary>Opens or creates a directory in this one. Links are rejected.</summary>
    /// <param name="name">The name, without a path.</param>
    /// <exception cref="IOException">Thrown when the name belongs to a link or a file.</exception>
    public LocalFolder OpenChild(string name)
    {
        string path = System.IO.Path.Combine(Path, name);
        if (!OperatingSystem.IsLinux() || Handle is null)
        {
            DirectoryInfo folder = new(path);
            if (folder.LinkTarget is not null || File.Exists(path))
            {
                throw NotAFolder(path, folder.LinkTarget is not null);
            }

            bool exists = folder.Exists;
            folder.Create();
            return new LocalFolder(path, null) { IsNew = !exists };
        }

        bool isNew = false;
        while (true)
        {
            SafeFileHandle handle = Libc.OpenFolder(Handle, name);
            if (!handle.IsInvalid)
            {
                return new LocalFolder(path, handle) { IsNew = isNew };
            }

            switch (Libc.LastError)
            {
                case Libc.NoSuchEntry when Libc.TryMakeFolder(Handle, name):
                    isNew = true;
                    break;
                case Libc.NoSuchEntry when Libc.LastError == Libc.Exists:
                    if (Libc.GetKind(GetPath(name), followsLinks: false).IsLink)
                    {
                        throw NotAFolder(path, isLink: true); // the target of the link doesn't exist
                    }

                    break;
                case Libc.NotAFolder or Libc.TooManyLinks:
                    throw NotAFolder(path, Libc.GetKind(GetPath(name), followsLinks: false).IsLink);
                default:
                    throw Libc.Failed($"The directory '{path}' could not be opened");
            }
        }
    }

    /// <summary>Opens a directory in this one. Links are rejected.</summary>
    /// <returns>Null if there is nothing under this name.</returns>
    /// <exception cref="IOException">Thrown when the name belongs to a link or a file.</exception>
    public LocalFolder? TryOpenChild(string name)
    {
        string path = System.IO.Path.Combine(Path, name);
        if (!OperatingSystem.IsLinux() || Handle is null)
        {
            DirectoryInfo folder = new(path);
            return folder.LinkTarget is not null || File.Exists(path) ? throw NotAFolder(path, folder.LinkTarget is not null)
                : folder.Exists ? new LocalFolder(path, null)
                : null;
        }

        SafeFileHandle handle = Libc.OpenFolder(Handle, name);
        if (!handle.IsInvalid)
        {
            return new LocalFolder(path, handle);
        }

        int error = Libc.LastError;
        handle.Dispose();
        return error switch
        {
            Libc.NoSuchEntry => null,
            Libc.NotAFolder or Libc.TooManyLinks => throw NotAFolder(path, Libc.GetKind(GetPath(name), followsLinks: false).IsLink),
            _ => throw Libc.Failed($"The directory '{path}' could not be opened", error),
        };
    }

    /// <summary>Gets a path for a name in this directory that can be passed to any API.</summary>
    public string GetPath(string name)
        => OperatingSystem.IsLinux() && Handle is not null ? $"{Libc.GetPath(Handle)}/{name}" : System.IO.Path.Combine(Path, name);

    /// <summary>Creates an exception with the names that a user knows, if the message contains the path of the open handle or the hidden name of a file.</summary>
    /// <param name="e">The exception of .NET.</param>
    /// <param name="name">The name of the file.</param>
    /// <param name="temporary">Its hidden name; null if it has none.</param>
    public Exception Named(Exception e, string name, string? temporary)
    {
        string message = e.Message;
        if (OperatingSystem.IsLinux() && Handle is not null)
        {
            message = message.Replace(Libc.GetPath(Handle), Path, StringComparison.Ordinal);
        }

        message = temporary is null ? message : message.Replace(temporary, name, StringComparison.Ordinal);
        return message == e.Message
            ? e
            : e switch
            {
                UnauthorizedAccessException => new UnauthorizedAccessException(message, e),
                FileNotFoundException => new FileNotFoundException(message, e),
                DirectoryNotFoundException => new DirectoryNotFoundException(message, e),
                _ => new IOException(message, e) { HResult = e.HResult },
            };
    }

    public void Dispose() => Handle?.Dispose();

    private static IOException NotAFolder(string path, bool isLink)
        => new(isLink ? $"'{path}' is a symbolic link, which is not followed." : $"'{path}' is a file, but must be a directory.");
}
