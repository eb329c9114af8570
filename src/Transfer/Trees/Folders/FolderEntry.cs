using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>An entry of a directory.</summary>
/// <param name="Name">The name of the entry.</param>
/// <param name="IsFolder">Whether the entry is a directory.</param>
/// <param name="IsLink">Whether the entry is a link, regardless of its target.</param>
/// <param name="Length">The size of a file, in bytes; 0 for all other entries.</param>
/// <param name="LastModified">The last-modified time of a file.</param>
internal readonly record struct FolderEntry(string Name, bool IsFolder, bool IsLink, long Length, DateTimeOffset LastModified = default)
{
    /// <summary>Gets what identifies the state of a regular file; null for all other entries, and if the system doesn't tell.</summary>
    public FileIdentity? Identity { get; init; }

    /// <summary>Gets why the entry isn't content, as far as its name and its identity tell.</summary>
    public LeftOut LeftOut { get; init; }
}
