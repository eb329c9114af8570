namespace Transfer.S3.Trees;

/// <summary>The target of a link.</summary>
/// <param name="IsFolder">Whether the target is a directory.</param>
/// <param name="Length">The size of a file, in bytes.</param>
/// <param name="Error">The reason why the link can't be followed; null if it can.</param>
/// <param name="LastModified">The last-modified time of a file.</param>
internal readonly record struct LinkTarget(bool IsFolder, long Length, Exception? Error = null, DateTimeOffset LastModified = default)
{
    /// <summary>Gets a value that indicates whether there is nothing where the link leads to. A target that can't be examined isn't known to be missing.</summary>
    public bool IsMissing { get; init; }
}
