namespace Transfer.S3;

/// <summary>An incomplete upload that could not be aborted.</summary>
/// <param name="Upload">The upload, which is still open.</param>
/// <param name="Error">The error.</param>
public sealed record UploadAbortFailure(UnfinishedUpload Upload, TransferException Error);
