using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>A folder of this machine that is held, so that what is written in it stays in it.</summary>
/// <remarks>
/// On Linux its names are looked up from an open handle: whoever moves the folder meanwhile, or puts a link in its place, leads no write elsewhere. On other
/// systems it is a path, and a link that is put there after the folder was looked at is followed.
/// </remarks>
internal sealed class LocalFolder : IDisposable
{
    private LocalFolder(string path, SafeFileHandle? handle)
    {
        Path = path;
        Handle = handle;
    }

    /// <summary>Where it is, or was when it was opened.</summary>
    public string Path { get; }

    /// <summary>Linux alone, and there only with a /proc.</summary>
    public SafeFileHandle? Handle { get; }

    /// <summary>Gets or sets whether a file that was made in it without a name can be given one, as far as is known.</summary>
    public bool LinksUnnamed { get; set; } = true;

    /// <summary>Opens a folder, and makes it and those above it where they are missing. Links are followed: the path is the caller's own.</summary>
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

    /// <summary>Opens a folder in this one, or makes it. A link is refused.</summary>
    /// <param name="name">One name.</param>
    /// <param name="isNew">Whether it was made.</param>
    /// <exception cref="IOException">A link or a file has the name.</exception>
    public LocalFolder OpenChild(string name, out bool isNew)
    {
        isNew = false;
        string path = System.IO.Path.Combine(Path, name);
        if (!OperatingSystem.IsLinux() || Handle is null)
        {
            DirectoryInfo folder = new(path);
            if (folder.LinkTarget is not null || File.Exists(path))
            {
                throw NotAFolder(path, folder.LinkTarget is not null);
            }

            isNew = !folder.Exists;
            folder.Create();
            return new LocalFolder(path, null);
        }

        while (true)
        {
            SafeFileHandle handle = Libc.OpenFolder(Handle, name);
            if (!handle.IsInvalid)
            {
                return new LocalFolder(path, handle);
            }

            switch (Libc.LastError)
            {
                case Libc.NoSuchEntry when Libc.TryMakeFolder(Handle, name):
                    isNew = true;
                    break;
                case Libc.NoSuchEntry when Libc.LastError == Libc.Exists:
                    if (Libc.KindOf(PathOf(name), followsLinks: false).IsLink)
                    {
                        throw NotAFolder(path, isLink: true); // one that leads nowhere
                    }

                    break;
                case Libc.NotAFolder or Libc.TooManyLinks:
                    throw NotAFolder(path, Libc.KindOf(PathOf(name), followsLinks: false).IsLink);
                default:
                    throw Libc.Failed($"The directory '{path}' could not be opened");
            }
        }
    }

    /// <summary>The path under which any API finds a name in this folder.</summary>
    public string PathOf(string name)
        => OperatingSystem.IsLinux() && Handle is not null ? $"{Libc.PathOf(Handle)}/{name}" : System.IO.Path.Combine(Path, name);

    public void Dispose() => Handle?.Dispose();

    private static IOException NotAFolder(string path, bool isLink)
        => new(isLink ? $"'{path}' is a symbolic link, which is not followed." : $"'{path}' is a file, but must be a directory.");
}
