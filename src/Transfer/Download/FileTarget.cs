using Transfer.Files;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>The file that a download is to become.</summary>
/// <param name="Path">Its full path.</param>
/// <param name="Overwrite">Whether one that is there is replaced.</param>
/// <param name="FlushToDisk">Whether the file and its name are on the disk before the download has ended.</param>
/// <param name="Mode">Its mode bits; null for those that it would have anyway.</param>
/// <param name="KeepLastModified">Whether it is dated when the object was.</param>
internal sealed record FileTarget(string Path, bool Overwrite, bool FlushToDisk, UnixFileMode? Mode, bool KeepLastModified)
{
    /// <summary>The open folder that it is in; null for that of its path.</summary>
    public LocalFolder? Folder { get; init; }

    private const UnixFileMode AllBits = (UnixFileMode)0xFFF;

    /// <summary>Gives the finished file its properties and its name.</summary>
    public void Publish(NewFile file, ObjectInfo info, IDiskFlush flush)
        => file.Publish(Overwrite, Mode, KeepLastModified ? ModificationTime.Of(info) : null, FlushToDisk ? flush : null);

    public static FileTarget From(string path, DownloadOptions options)
    {
        if (options.FileMode is { } mode && (mode & ~AllBits) != 0)
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), mode, $"{nameof(options.FileMode)} is {(int)mode}; it must be from 0 to {(int)AllBits}, the twelve bits of a mode.");
        }

        return new FileTarget(path, options.Overwrite, options.FlushToDisk, options.FileMode, options.KeepLastModified);
    }
}
