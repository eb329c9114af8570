namespace Transfer.S3.Files;

/// <summary>The properties that a file gets before it gets its name.</summary>
/// <param name="Mode">The permissions; null for those of the file that is replaced, or else of a new file.</param>
/// <param name="LastModified">The last-modified time; null for now.</param>
/// <param name="Owner">The owner; null for the user of the process.</param>
internal readonly record struct FileProperties(UnixFileMode? Mode = null, DateTimeOffset? LastModified = null, FileOwner? Owner = null);
