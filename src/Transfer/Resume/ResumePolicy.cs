using Transfer.S3.Wire;

namespace Transfer.S3.Resume;

/// <summary>Determines whether a transfer that ended early can be resumed, so that its state is kept.</summary>
internal static class ResumePolicy
{
    /// <summary>
    /// Returns whether a transfer can be resumed after an exception: after a cancellation, at a limit of the client, and after errors of the network, a busy store, or missing credentials. It
    /// can't be resumed after permanent errors of the store, a checksum mismatch, or a change of the object or the file.
    /// </summary>
    public static bool CanResumeAfter(Exception e) => e switch
    {
        OperationCanceledException or ObjectDisposedException or TransferException { Error: TransferError.LimitReached } => true,
        TransferException { Error: TransferError.ChecksumMismatch or TransferError.ObjectChanged or TransferError.PreconditionFailed or TransferError.NotModified } => false,
        TransferException { InnerException: WireException failure } => failure.MayRetry
            || failure.Elsewhere is not null
            || failure.Kind == FailureKind.NotStore
            || ErrorKinds.PassesWithCredentials(failure.ErrorCode),
        _ => false,
    };

    /// <summary>
    /// Returns whether an upload can be resumed after an exception. In addition to errors of the store, errors of the source and a lack of memory can be temporary.
    /// </summary>
    public static bool CanResumeUploadAfter(Exception e)
        => CanResumeAfter(e)
            || e is TransferException { InnerException: IOException or UnauthorizedAccessException } or MemoryLimitException or ObjectDisposedException or OutOfMemoryException;

    /// <summary>Returns whether an exception means that there were no valid credentials, so that the same transfer can succeed with new ones.</summary>
    public static bool LacksCredentials(Exception e) => e is TransferException { InnerException: WireException { IsOfCredentials: true } };
}
