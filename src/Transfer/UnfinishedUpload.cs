namespace Transfer.S3;

/// <summary>A multipart upload that was neither completed nor aborted.</summary>
/// <param name="Key">The key of the object.</param>
/// <param name="UploadId">The ID of the upload.</param>
/// <param name="Initiated">The time when the upload was created; <see langword="null"/> if the store doesn't return it.</param>
public sealed record UnfinishedUpload(string Key, string UploadId, DateTimeOffset? Initiated);
