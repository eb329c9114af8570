using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>A file or a directory under a local directory.</summary>
/// <param name="Path">The path.</param>
/// <param name="Name">The path relative to the root, with slashes. The name of a directory ends in a slash.</param>
/// <param name="Length">The size of a file, in bytes; 0 for a directory.</param>
/// <param name="Error">The reason why the entry can't be used; null if it can.</param>
internal sealed record LocalFile(string Path, string Name, long Length, Exception? Error = null)
{
    /// <summary>Gets the last-modified time of a file; null if it isn't known.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gets what identifies the state of a regular file when its directory was read; null if it isn't known, as for a file behind a link.</summary>
    public FileIdentity? Identity { get; init; }

    /// <summary>Gets why the entry isn't content.</summary>
    public LeftOut LeftOut { get; init; }

    /// <summary>Gets a value that indicates whether nothing that can be transferred is in the directory.</summary>
    public bool IsEmptyFolder { get; init; }

    public bool IsFolder => Name.EndsWith('/');
}
