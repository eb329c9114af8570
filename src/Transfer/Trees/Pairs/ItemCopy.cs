using Transfer.S3.Files;
using Transfer.S3.Integrity;

namespace Transfer.S3.Trees;

/// <summary>The result of one copy.</summary>
/// <param name="Bytes">The number of bytes.</param>
/// <param name="Source">The mark of what was read; null if it can't be recognized again.</param>
/// <param name="Verdict">The result of the verification; null for a folder.</param>
/// <param name="ETag">The ETag of the target; null for a file.</param>
internal sealed record ItemCopy(long Bytes, SyncMark? Source, ChecksumVerdict? Verdict, string? ETag)
{
    /// <summary>Gets the mark of the target; null if it can't be recognized again.</summary>
    public SyncMark? Target { get; init; } = SyncMark.OfObject(Bytes, ETag);

    /// <summary>Gets the ETag of the object that was read; null for a file, and if it isn't known.</summary>
    public string? SourceETag { get; init; }

    /// <summary>Gets the state of the file that got the name of the target; null for an object, and if another file has its name.</summary>
    public FileIdentity? File { get; init; }

    /// <summary>Gets the checksum of the content; null if it isn't known.</summary>
    public ContentChecksum? Content { get; init; }

    /// <summary>Gets the properties of the source that the copy doesn't have.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];
}
