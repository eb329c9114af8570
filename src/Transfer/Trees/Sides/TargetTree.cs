using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>
/// The directories that a download writes to. Each is created once and kept open while it is used, so links below the root are never followed, whenever they are
/// created.
/// </summary>
internal sealed class TargetTree(string root, bool flushes) : IDisposable
{
    /// <summary>
    /// The maximum number of open directories that aren't in use. Keys come in order, so the next file is nearly always in one of the latest directories.
    /// </summary>
    private const int MaxIdle = 64;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Entry> _folders = new(StringComparer.Ordinal);
    private long _uses;

    /// <summary>Opens or creates a directory below the root. Each call must be followed by a call of <see cref="Leave"/>.</summary>
    /// <param name="path">The path, with slashes; empty for the root.</param>
    /// <exception cref="IOException">Thrown when there is a link or a file instead of a directory.</exception>
    public LocalFolder Enter(string path)
    {
        lock (_gate)
        {
            Entry entry = Open(path);
            entry.Users++;
            entry.LastUse = ++_uses;
            return entry.Folder;
        }
    }

    /// <summary>Determines with a file whether the file system doesn't distinguish names that differ only by case.</summary>
    public bool IsCaseBlind()
    {
        LocalFolder folder = Enter(string.Empty);
        string probe = HiddenFileName.Create(string.Empty);
        try
        {
            using (File.OpenHandle(folder.GetPath(probe), FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.DeleteOnClose))
            {
                return File.Exists(folder.GetPath(probe.ToUpperInvariant()));
            }
        }
        finally
        {
            Leave(string.Empty);
        }
    }

    public void Leave(string path)
    {
        lock (_gate)
        {
            _folders[path].Users--;
        }
    }

    public void Dispose()
    {
        foreach (Entry entry in _folders.Values)
        {
            entry.Folder.Dispose();
        }
    }

    private Entry Open(string path)
    {
        if (_folders.TryGetValue(path, out Entry? known))
        {
            return known;
        }

        LocalFolder folder;
        if (path.Length == 0)
        {
            folder = LocalFolder.Open(root);
        }
        else
        {
            int slash = path.LastIndexOf('/');
            LocalFolder parent = Open(slash < 0 ? string.Empty : path[..slash]).Folder;
            folder = parent.OpenChild(path[(slash + 1)..]);
            if (folder.IsNew && flushes)
            {
                DiskFlush.Instance.Folder(parent.Path);
            }
        }

        Entry entry = new(folder) { LastUse = ++_uses };
        _folders.Add(path, entry);
        if (_folders.Count > MaxIdle)
        {
            CloseOldest(path);
        }

        return entry;
    }

    private void CloseOldest(string except)
    {
        string? oldest = null;
        foreach ((string path, Entry entry) in _folders)
        {
            if (entry.Users == 0 && path != except && (oldest is null || entry.LastUse < _folders[oldest].LastUse))
            {
                oldest = path;
            }
        }

        if (oldest is not null && _folders.Remove(oldest, out Entry? closed))
        {
            closed.Folder.Dispose();
        }
    }

    private sealed class Entry(LocalFolder folder)
    {
        public LocalFolder Folder { get; } = folder;

        public int Users { get; set; }

        public long LastUse { get; set; }
    }
}
