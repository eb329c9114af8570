namespace Transfer.S3;

/// <summary>An incomplete upload that could not be aborted.</summary>
public sealed record UploadAbortFailure
{
    /// <summary>Gets the upload, which is still open.</summary>
    public required UnfinishedUpload Upload { get; init; }

    /// <summary>Gets the error.</summary>
    public required TransferException Error { get; init; }
}
