namespace Transfer;

/// <summary>A multipart upload that was begun, and neither completed nor aborted.</summary>
/// <param name="Key">The key that it was to publish.</param>
/// <param name="UploadId">The store's name for it.</param>
/// <param name="Initiated">When it was begun; null where the store does not tell.</param>
public sealed record UnfinishedUpload(string Key, string UploadId, DateTimeOffset? Initiated);
