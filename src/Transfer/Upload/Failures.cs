using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Converts the errors of an upload's requests to exceptions for its caller.</summary>
internal static class Failures
{
    /// <summary>Converts the error of the request that publishes the object. Only this request has the caller's condition.</summary>
    public static TransferException OfPublishing(NewObject target, string what, WireException e)
        => e.Kind != FailureKind.PreconditionFailed || target.Condition is { ForbidsOverwrite: false, IfMatch: null }
        ? Create(target.Address, what, null, e)
        : new TransferException(
            $"{target.Address} was not replaced: {(target.Condition.IfMatch is { } etag ? $"its ETag is not {etag}" : "it already exists")}.", target.Address, e)
        { Error = TransferError.PreconditionFailed };

    public static TransferException Create(ObjectAddress address, string what, int? partNumber, WireException e)
    {
        string message = $"{address}: could not {what}: {e.Message}{e.AttemptsText}";
        return e.Kind == FailureKind.Corrupt
            ? new ChecksumMismatchException(message, address, e) { PartNumber = partNumber }
            : new TransferException(message, address, e) { PartNumber = partNumber };
    }

    /// <summary>Creates the error for a multipart upload that was not aborted, because the store may have completed it.</summary>
    public static TransferException NotAborted(ObjectAddress address, string uploadId) => new(
        $"{address}: the store does not tell whether it has completed the multipart upload {uploadId}, so the upload was not aborted. If the object is not there, use {nameof(ITransferClient.AbortUploadsAsync)} to abort the upload.")
    {
        Bucket = address.Bucket,
        Key = address.Key,
    };

    /// <summary>
    /// Converts the error of a request that copies an object or a part of it. The source existed with its ETag when the copy started, so a source that is missing or
    /// different has changed.
    /// </summary>
    public static TransferException OfCopying(CopySource source, ObjectAddress target, int? partNumber, WireException e)
        => e.Kind == FailureKind.PreconditionFailed || e.ErrorCode is "NoSuchKey" or "NoSuchVersion"
            ? SourceChanged(source, partNumber, e)
            : Create(target, partNumber is null ? "copy the object" : $"copy part {partNumber}", partNumber, e);

    public static TransferException SourceChanged(CopySource source, int? partNumber, WireException e)
        => new($"{source.Address} was replaced or deleted while it was being copied.", source.Address, e) { Error = TransferError.ObjectChanged, PartNumber = partNumber };

    /// <summary>Attaches a cleanup error to the exception that is reported.</summary>
    /// <returns>The exception to throw. A plain cancellation can't carry the cleanup error, so it is replaced by one that can.</returns>
    public static Exception WithCleanup(Exception first, Exception? cleanup)
    {
        switch (first)
        {
            case TransferException failure:
                failure.CleanupError ??= cleanup;
                return first;
            case OperationCanceledException canceled and not TransferCanceledException when cleanup is not null:
                return new TransferCanceledException(canceled, cleanup, canceled.CancellationToken);
            default:
                return first; // the cleanup error is logged
        }
    }

    /// <summary>Gets the cleanup error of an exception; null if there is none.</summary>
    public static Exception? GetCleanup(Exception e) => (e as TransferException)?.CleanupError ?? (e as TransferCanceledException)?.CleanupError;
}
