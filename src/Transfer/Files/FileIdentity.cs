using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>
/// What identifies the state of a regular file. Whatever is decided because a file is still the same is decided by <see cref="IsSame"/>: that it is published, replaced, or
/// deleted.
/// </summary>
/// <param name="Length">The size, in bytes.</param>
/// <param name="LastWrite">The last-write time, in UTC ticks.</param>
/// <param name="Changed">The time of the last change of the file or its properties, in UTC ticks; 0 if the system doesn't tell. Programs can't set it.</param>
/// <param name="Inode">The number of the file in its file system; 0 if the system doesn't tell.</param>
internal readonly record struct FileIdentity(long Length, long LastWrite, long Changed, ulong Inode)
{
    /// <summary>Gets the number of names that the file has; 0 if the system doesn't tell.</summary>
    public uint Names { get; init; }

    /// <summary>
    /// Gets the time of the last change if it tells something about the content; otherwise, 0. If the file has several names, it also changes when one of them is created
    /// or deleted, as backups and this library do.
    /// </summary>
    public long ContentChanged => Names > 1 ? 0 : Changed;

    /// <summary>Gets the state of the file at a path.</summary>
    /// <returns>Null if there is no file, or if it is a link that isn't followed, a device, or a pipe.</returns>
    public static FileIdentity? At(string path, bool followsLinks)
    {
        if (OperatingSystem.IsLinux())
        {
            return Libc.GetIdentity(path, followsLinks);
        }

        FileInfo file = new(path);
        if (file.LinkTarget is not null)
        {
            if (!followsLinks || file.ResolveLinkTarget(returnFinalTarget: true) is not FileInfo target)
            {
                return null;
            }

            file = target;
        }

        return file.Exists && !LocalTarget.IsSpecial(file.FullName) ? new FileIdentity(file.Length, file.LastWriteTimeUtc.Ticks, 0, 0) : null;
    }

    /// <summary>Gets the state of an open file.</summary>
    /// <returns>Null if it isn't a regular file, or on systems other than Linux.</returns>
    public static FileIdentity? Of(SafeFileHandle file) => OperatingSystem.IsLinux() ? Libc.GetIdentity(file) : null;

    /// <summary>Returns whether a file is still the same. What isn't known of either state isn't compared.</summary>
    public bool IsSame(FileIdentity other) => Length == other.Length && LastWrite == other.LastWrite
        && (ContentChanged == 0 || other.ContentChanged == 0 || ContentChanged == other.ContentChanged)
        && (Inode == 0 || other.Inode == 0 || Inode == other.Inode);
}
