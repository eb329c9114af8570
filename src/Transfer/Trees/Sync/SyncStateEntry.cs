using Transfer.S3.Integrity;

namespace Transfer.S3.Trees;

/// <summary>A name whose source and target had the same content while both had these marks.</summary>
/// <param name="Name">The name.</param>
/// <param name="Source">The mark of the source.</param>
/// <param name="Target">The mark of the target.</param>
/// <param name="Content">
/// What the content of the file was, if the file was so new that it could have changed afterward without another mark: the marks alone prove nothing, and the file has
/// to be read. Null if the marks are enough.
/// </param>
internal readonly record struct SyncStateEntry(string Name, SyncMark Source, SyncMark Target, ContentChecksum? Content = null);
