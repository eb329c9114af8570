namespace Transfer.S3.Files;

/// <summary>What tells an entry of a file system from all others, whatever its path is.</summary>
/// <param name="Device">The number of the file system.</param>
/// <param name="Inode">The number of the entry in its file system.</param>
internal readonly record struct EntryId(ulong Device, ulong Inode);
