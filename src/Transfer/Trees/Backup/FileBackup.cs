using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>
/// Gives files that are about to be replaced or deleted a name in another directory. Until the file is replaced or deleted, it has both names, so its content always has
/// one.
/// </summary>
internal sealed class FileBackup : IDisposable
{
    private const int CopyBytes = 1 << 20;

    private readonly string _directory;
    private readonly bool _flushes;
    private readonly TargetTree _tree;

    private FileBackup(string directory, bool flushes)
    {
        _directory = directory;
        _flushes = flushes;
        _tree = new TargetTree(directory, flushes);
    }

    /// <summary>Validates the backup of a synchronization to a directory; null if there is none.</summary>
    /// <param name="all">The options.</param>
    /// <param name="target">The directory that is synchronized.</param>
    /// <param name="flushes">Whether names are flushed to disk.</param>
    public static FileBackup? From(TreeTransferOptions all, string target, bool flushes)
    {
        if (all is not SyncOptions options || options.Backup?.Normalize() is not { } backup)
        {
            return null;
        }

        if (backup.Path is not { } directory)
        {
            throw new ArgumentException(
                $"{nameof(options.Backup)} is {backup}, but the target is '{target}'. Use {nameof(Place)}.{nameof(Place.InDirectory)}.", nameof(all));
        }

        BackupOverlap.Check($"'{directory}'", null, (RealPath.ToComparable(target), RealPath.ToComparable(directory)), options, new PathFilter(options));
        return new FileBackup(directory, flushes);
    }

    /// <summary>Keeps a file as it was listed, unless it has a backup.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="entry">The file in the listing.</param>
    /// <exception cref="TransferException">Thrown when there is no backup, or when the file was changed while it was copied.</exception>
    public void Keep(string path, TreeEntry entry)
    {
        int slash = entry.Name.LastIndexOf('/');
        string shown = $"'{Path.Combine(_directory, entry.Name)}'";
        string folderName = slash < 0 ? string.Empty : entry.Name[..slash];
        try
        {
            LocalFolder folder = _tree.Enter(folderName);
            try
            {
                if (!BackupName.Candidates(entry.Name[(slash + 1)..]).Any(name => TryKeep(path, folder, name, entry)))
                {
                    throw BackupName.TooMany($"'{entry.Name}'", shown);
                }

                if (_flushes)
                {
                    DiskFlush.Instance.Folder(folder.Path);
                }
            }
            finally
            {
                _tree.Leave(folderName);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{entry.Name}' was not touched, because its backup {shown} could not be written: {e.Message}", e);
        }
    }

    public void Dispose() => _tree.Dispose();

    /// <summary>Gives the file a name in the backup, or a copy of it on file systems without hard links, and on another one.</summary>
    /// <returns>False if the name is taken by another file.</returns>
    private static bool TryKeep(string path, LocalFolder folder, string name, TreeEntry entry)
    {
        string backup = folder.GetPath(name);
        if (LocalState.Exists(backup))
        {
            return IsSameFile(path, backup); // an interrupted run has linked it
        }

        return (OperatingSystem.IsLinux() && folder.Handle is { } handle && Libc.TryLink(path, handle, name)) || TryCopy(path, folder, name, entry);
    }

    private static bool TryCopy(string path, LocalFolder folder, string name, TreeEntry entry)
    {
        using FileStream source = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        using AtomicFile copy = AtomicFile.Create(folder, name, source.Length);
        long offset = 0;
        byte[] buffer = new byte[CopyBytes];
        for (int count; (count = source.Read(buffer)) > 0; offset += count)
        {
            FileContent.Write(copy.Handle, buffer.AsSpan(0, count), offset);
        }

        LocalState.Check(path, entry.Name, entry); // what was copied could be neither its former content nor its new one
        try
        {
            FileProperties properties = new(OperatingSystem.IsWindows() ? null : File.GetUnixFileMode(source.SafeFileHandle), new DateTimeOffset(File.GetLastWriteTimeUtc(source.SafeFileHandle)));
            copy.Publish(overwrite: false, properties, DiskFlush.Instance);
            return true;
        }
        catch (IOException) when (LocalState.Exists(folder.GetPath(name)))
        {
            return false; // somebody else has taken the name
        }
    }

    private static bool IsSameFile(string path, string backup)
        => OperatingSystem.IsLinux() && Libc.GetIdentity(path, followsLinks: false) is { } file && Libc.GetIdentity(backup, followsLinks: false) == file;
}
