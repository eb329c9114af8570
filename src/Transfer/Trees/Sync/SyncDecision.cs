using Transfer.S3.Integrity;

namespace Transfer.S3.Trees;

/// <summary>The result of a comparison.</summary>
/// <param name="Action">What has to be done.</param>
/// <param name="Content">The checksum of the content that both sides have; null if it isn't known.</param>
internal readonly record struct SyncDecision(Outcome Action, ContentChecksum? Content = null);
