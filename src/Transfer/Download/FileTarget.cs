using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>The target file of a download.</summary>
/// <param name="Path">The full path.</param>
/// <param name="Overwrite">Whether an existing file is replaced.</param>
/// <param name="FlushToDisk">Whether the file and its name are flushed to disk before the download completes.</param>
/// <param name="Mode">The mode bits of the file; null for the default ones.</param>
/// <param name="KeepLastModified">Whether the file gets the last-modified time of its source.</param>
internal sealed record FileTarget(string Path, bool Overwrite, bool FlushToDisk, UnixFileMode? Mode, bool KeepLastModified)
{
    /// <summary>Gets a value that indicates whether the file gets the permissions of its source.</summary>
    public bool KeepPermissions { get; init; }

    /// <summary>Gets a value that indicates whether the file gets the owner of its source.</summary>
    public bool KeepOwner { get; init; }

    /// <summary>Gets the open folder that contains the file; null for the folder of the path.</summary>
    public LocalFolder? Folder { get; init; }

    /// <summary>Gets the action that runs immediately before the open file gets its name, to check that the target is still what it was; null for none.</summary>
    public Action<SafeFileHandle>? BeforePublish { get; init; }

    private const UnixFileMode AllBits = (UnixFileMode)0xFFF;

    /// <summary>Sets the properties of the complete file and gives it its name.</summary>
    public void Publish(AtomicFile file, ObjectInfo info, IDiskFlush flush)
    {
        FileOwner? owner = KeepOwner && FileMetadata.GetOwner(info) is var (user, group) ? new FileOwner(user, group) : null;
        FileProperties properties = new((KeepPermissions ? FileMetadata.GetMode(info) : null) ?? Mode, KeepLastModified ? ModificationTime.Get(info) : null, owner);
        file.Publish(Overwrite, properties, FlushToDisk ? flush : null, BeforePublish);
    }

    public static FileTarget From(string path, DownloadOptions options)
    {
        if (options.FileMode is { } mode && (mode & ~AllBits) != 0)
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), mode, $"{nameof(options.FileMode)} is {(int)mode}; it must be from 0 to {(int)AllBits}, the twelve bits of a mode.");
        }

        return new FileTarget(path, options.Overwrite, options.FlushToDisk, options.FileMode, options.KeepLastModified)
        {
            KeepPermissions = options.KeepPermissions,
            KeepOwner = options.KeepOwner,
        };
    }
}
