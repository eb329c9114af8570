using Transfer.S3.Directories;
using Transfer.S3.Files;

namespace Transfer.S3.Sync;

/// <summary>Finds files, folders, and links under a directory. A name that no file can have isn't looked for.</summary>
/// <param name="root">The directory.</param>
internal sealed class FolderLookup(string root) : ISideLookup
{
    public Task<SyncEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
        => Task.Run<SyncEntry?[]>(() => [.. names.Select(Find)], cancellationToken);

    /// <summary>Finds the file, the folder, or the link that has exactly this name.</summary>
    private SyncEntry? Find(string name)
    {
        if (!KeyPath.TrySplit(name, OperatingSystem.IsWindows(), allowsSpecial: true, out _, out _))
        {
            return null;
        }

        try
        {
            FileInfo there = new(Path.Combine(root, name.TrimEnd('/')));
            return there.LinkTarget is not null ? new SyncEntry(name, 0) { Path = there.FullName, LeftOut = LeftOut.Link }
                : (name.EndsWith('/') ? !Directory.Exists(there.FullName) : !there.Exists) || !HasName(there) ? null
                : name.EndsWith('/') ? new SyncEntry(name, 0) { Path = there.FullName }
                : FileIdentity.At(there.FullName, followsLinks: false) is { } state ? new SyncEntry(name, state.Length) { Path = there.FullName, LastWrite = state.LastWrite, State = state }
                : new SyncEntry(name, 0) { Path = there.FullName }; // a device or a pipe
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new SyncEntry(name, 0) { Error = e };
        }
    }

    /// <summary>Returns whether a name that was found is the real one. Many file systems find names that differ by case.</summary>
    private static bool HasName(FileInfo there)
        => OperatingSystem.IsLinux() || there.Directory!.EnumerateFileSystemInfos().Any(entry => entry.Name == there.Name);
}
