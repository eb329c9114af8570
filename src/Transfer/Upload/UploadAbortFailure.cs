namespace Transfer;

/// <summary>An unfinished upload that could not be aborted: it stays open.</summary>
/// <param name="Upload">The upload.</param>
/// <param name="Error">What went wrong.</param>
public sealed record UploadAbortFailure(UnfinishedUpload Upload, TransferException Error);
