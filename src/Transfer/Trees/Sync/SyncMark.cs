using Transfer.S3.Files;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>What identifies the content of a file or an object, as long as it doesn't change.</summary>
/// <param name="Length">The size, in bytes.</param>
/// <param name="ETag">The strong ETag of an object; null for a file.</param>
/// <param name="LastWrite">The last-write time of a file, in UTC ticks.</param>
/// <param name="Changed">The time of the last change of a file or its properties, in UTC ticks. Programs can't set it.</param>
/// <param name="Inode">The number of the file in its file system.</param>
internal sealed record SyncMark(long Length, string? ETag, long LastWrite, long Changed, ulong Inode)
{
    /// <summary>The time in which a file can change again without another time, in every file system.</summary>
    private static readonly TimeSpan Resolution = TimeSpan.FromSeconds(2);

    /// <summary>Gets the mark of an object; null if it has no strong ETag.</summary>
    public static SyncMark? OfObject(long length, string? etag)
        => string.IsNullOrEmpty(etag) || ETags.IsWeak(etag) ? null : new SyncMark(length, etag.Trim('"'), 0, 0, 0);

    /// <summary>Gets the mark of a file; null if the system doesn't tell.</summary>
    public static SyncMark? OfFile(FileIdentity? file) => file is { Changed: > 0, Inode: > 0 } found ? new SyncMark(found.Length, null, found.LastWrite, found.Changed, found.Inode) : null;

    /// <summary>Returns whether a file could not have changed after this time without getting another mark.</summary>
    public bool IsSettledAt(DateTimeOffset time) => ETag is not null || Math.Max(LastWrite, Changed) < (time - Resolution).UtcTicks;
}
