using Transfer.S3.Files;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

/// <summary>
/// Recognizes what the program writes itself, by identity: the files that the caller names, and the state directory. On Linux, links and other spellings of a path don't
/// hide it. On other systems, only paths are compared.
/// </summary>
internal sealed class OwnEntries
{
    private readonly HashSet<EntryId> _ids = [];
    private readonly HashSet<ulong> _inodes = [];
    private readonly HashSet<string> _paths = new(OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _names;

    /// <summary>Looks up the files and the directory of a client as they are now.</summary>
    public OwnEntries(ClientSettings settings)
    {
        HasFiles = settings.OwnFiles.Count > 0;
        foreach (string path in settings.StateDirectory is { } state ? settings.OwnFiles.Append(state) : settings.OwnFiles)
        {
            _paths.Add(Path.TrimEndingDirectorySeparator(path));
            if (OperatingSystem.IsLinux() && Libc.GetEntryId(path, followsLinks: true) is { } id)
            {
                _ids.Add(id);
                _inodes.Add(id.Inode);
            }
        }

        _names = _paths.Select(static path => Path.GetFileName(path)).ToHashSet(_paths.Comparer);
    }

    /// <summary>Gets a value that indicates whether there are files besides the state directory.</summary>
    public bool HasFiles { get; }

    /// <summary>Returns whether an entry of a directory is one of them.</summary>
    public bool Contains(SourceFolder folder, in FolderEntry entry)
        => (_names.Contains(entry.Name) && _paths.Contains(Path.Combine(folder.Path, entry.Name)))
            || (OperatingSystem.IsLinux() && _ids.Count > 0 && (entry.Identity is not { } file || _inodes.Contains(file.Inode))
                && folder.GetId(entry.Name, followsLinks: true) is { } id && _ids.Contains(id));

    /// <summary>Returns whether a path is that of one of them.</summary>
    public bool Contains(string path)
        => _paths.Contains(path) || (OperatingSystem.IsLinux() && Libc.GetEntryId(path, followsLinks: true) is { } id && _ids.Contains(id));
}
