namespace Transfer.S3.Files;

/// <summary>What identifies the state of a regular file.</summary>
/// <param name="Length">The size, in bytes.</param>
/// <param name="LastWrite">The last-write time, in UTC ticks.</param>
/// <param name="Changed">The time of the last change of the file or its properties, in UTC ticks. Programs can't set it.</param>
/// <param name="Inode">The number of the file in its file system.</param>
internal readonly record struct FileIdentity(long Length, long LastWrite, long Changed, ulong Inode);
