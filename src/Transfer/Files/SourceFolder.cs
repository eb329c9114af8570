using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>A folder of this machine that is read.</summary>
/// <remarks>
/// Where links are not to be followed it is held open on Linux, and names in it are looked up from there: a link that somebody puts in a folder's or a file's place
/// after it was looked at leads no reading elsewhere. On other systems it is a path, and such a link is followed.
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

    /// <summary>Where it is, or was when it was opened.</summary>
    public string Path { get; }

    /// <summary>The path under which any API finds it.</summary>
    public string HeldPath => OperatingSystem.IsLinux() && _handle is not null ? Libc.PathOf(_handle) : Path;

    /// <summary>Why it can't be read; null where that is not known yet.</summary>
    public Exception? Error { get; }

    /// <summary>Opens the folder that the caller names; links on the way to it are the caller's own.</summary>
    public static SourceFolder Open(string path, bool followsLinks)
        => new(path, !followsLinks && OperatingSystem.IsLinux() && Libc.HasProc ? Libc.OpenFolder(path) : null);

    /// <summary>Opens a folder in this one.</summary>
    public SourceFolder OpenChild(string name)
        => new(System.IO.Path.Combine(Path, name), OperatingSystem.IsLinux() && _handle is { IsInvalid: false } ? Libc.OpenFolder(_handle, name) : null);

    /// <summary>Opens a file somewhere below a folder to read it, if no link leads to it from there; a pipe that nobody writes to does not hold this up.</summary>
    /// <exception cref="IOException">A link does, or it is not there.</exception>
    [SupportedOSPlatform("linux")]
    public static SafeFileHandle OpenFile(string root, string path) => Open(root, path, Libc.OpenToRead);

    /// <summary>Gets a handle for what has a name somewhere below a folder without opening it, if no link to a folder leads there.</summary>
    /// <exception cref="IOException">A link does, or it is not there.</exception>
    [SupportedOSPlatform("linux")]
    public static SafeFileHandle FindFile(string root, string path) => Open(root, path, Libc.OpenPath);

    /// <summary>The failure for what is a link, or behind one.</summary>
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
                System.Runtime.InteropServices.Marshal.SetLastPInvokeError(error); // closing is a call too
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
