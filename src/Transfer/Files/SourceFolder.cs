using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>A local directory that is read.</summary>
/// <remarks>
/// If links aren't followed, the directory is kept open on Linux, and names are looked up from its handle. A link that replaces a directory or a file after it was
/// examined isn't followed then. On other systems, only the path is known, and such a link is followed.
/// </remarks>
internal sealed class SourceFolder : IDisposable
{
    private readonly SafeFileHandle? _handle;

    private SourceFolder(string path, SafeFileHandle? handle)
    {
        Path = path;
        _handle = handle;
        if (OperatingSystem.IsLinux() && handle is { IsInvalid: true })
        {
            Error = Refused(path, $"The directory '{path}' could not be opened");
        }
    }

    /// <summary>Gets the path of the directory at the time when it was opened.</summary>
    public string Path { get; }

    /// <summary>Gets a path of the directory that can be passed to any API.</summary>
    public string HeldPath => OperatingSystem.IsLinux() && _handle is not null ? Libc.GetPath(_handle) : Path;

    /// <summary>Gets the reason why the directory can't be read; null if none is known yet.</summary>
    public Exception? Error { get; }

    /// <summary>Gets the properties of an entry with one system call. A link isn't followed.</summary>
    [SupportedOSPlatform("linux")]
    public (FileKind Kind, FileIdentity? Identity, long Length, DateTime LastWriteUtc) Look(string name)
        => _handle is { } folder ? Libc.Look(folder, name) : Libc.Look(System.IO.Path.Combine(Path, name));

    /// <summary>Gets what tells a file or a directory in this one from all others; null if it is something else, or doesn't exist.</summary>
    [SupportedOSPlatform("linux")]
    public EntryId? GetId(string name, bool followsLinks)
        => _handle is { } folder ? Libc.GetEntryId(folder, name, followsLinks) : Libc.GetEntryId(System.IO.Path.Combine(Path, name), followsLinks);

    /// <summary>Opens the directory that the caller specifies. Links in its path are followed.</summary>
    public static SourceFolder Open(string path, bool followsLinks)
        => new(path, !followsLinks && OperatingSystem.IsLinux() && Libc.HasProc ? Libc.OpenFolder(path) : null);

    /// <summary>Opens a directory in this one.</summary>
    public SourceFolder OpenChild(string name)
        => new(System.IO.Path.Combine(Path, name), OperatingSystem.IsLinux() && _handle is { IsInvalid: false } ? Libc.OpenFolder(_handle, name) : null);

    /// <summary>Opens a file under a directory for reading, unless it is reached through a link. It doesn't wait for the writer of a pipe.</summary>
    /// <exception cref="IOException">Thrown when it is reached through a link, or doesn't exist.</exception>
    [SupportedOSPlatform("linux")]
    public static SafeFileHandle OpenFile(string root, string path) => Open(root, path, Libc.OpenToRead);

    /// <summary>Gets a handle for an entry under a directory without opening it, unless it is reached through a link to a directory.</summary>
    /// <exception cref="IOException">Thrown when it is reached through a link, or doesn't exist.</exception>
    [SupportedOSPlatform("linux")]
    public static SafeFileHandle FindFile(string root, string path) => Open(root, path, Libc.OpenPath);

    /// <summary>Creates the exception for a path that is a link or is reached through one.</summary>
    public static IOException NotFollowed(string path) => new($"'{path}' is a symbolic link, or is reached through one, and links are not followed.");

    public void Dispose() => _handle?.Dispose();

    [SupportedOSPlatform("linux")]
    private static SafeFileHandle Open(string root, string path, Func<SafeFileHandle, string, SafeFileHandle> open)
    {
        string[] names = System.IO.Path.GetRelativePath(root, path).Split('/');
        SafeFileHandle folder = Libc.OpenFolder(root);
        try
        {
            foreach (string name in names.AsSpan(0, names.Length - 1))
            {
                SafeFileHandle child = folder.IsInvalid ? throw Failed() : Libc.OpenFolder(folder, name);
                (folder, SafeFileHandle parent) = (child, folder);
                int error = Libc.LastError;
                parent.Dispose();
                System.Runtime.InteropServices.Marshal.SetLastPInvokeError(error); // closing changes the last error
            }

            SafeFileHandle file = folder.IsInvalid ? throw Failed() : open(folder, names[^1]);
            return file.IsInvalid ? throw Failed() : file;
        }
        finally
        {
            folder.Dispose();
        }

        Exception Failed() => Refused(path, $"'{path}' could not be opened");
    }

    [SupportedOSPlatform("linux")]
    private static Exception Refused(string path, string what) => Libc.LastError switch
    {
        Libc.NotAFolder or Libc.TooManyLinks => NotFollowed(path),
        Libc.NoSuchEntry => new FileNotFoundException($"'{path}' does not exist anymore.", path),
        _ => Libc.Failed(what),
    };
}
