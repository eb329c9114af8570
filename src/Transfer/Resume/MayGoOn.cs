using Transfer.Wire;

namespace Transfer.Resume;

/// <summary>Whether a transfer that ended early is worth going on with: what is there of it is kept then.</summary>
internal static class MayGoOn
{
    /// <summary>
    /// Whoever was interrupted comes back, and what the network, a busy store or credentials that have run out have ended can be tried again. What the store
    /// refuses for good, content that does not match and an object or file that is another one now end in nothing.
    /// </summary>
    public static bool After(Exception e) => e switch
    {
        OperationCanceledException or ObjectDisposedException => true,
        ChecksumMismatchException or ObjectChangedException or PreconditionFailedException or ObjectNotModifiedException => false,
        TransferException { InnerException: WireException failure } => failure.MayRetry
            || failure.Kind == FailureKind.Elsewhere
            || ErrorKinds.PassesWithCredentials(failure.ErrorCode),
        _ => false,
    };

    /// <summary>Returns whether an upload can be resumed after a failure. Beside those of the store, a source that could not be read and a lack of memory can pass.</summary>
    public static bool AfterUpload(Exception e)
        => After(e) || e is TransferException { InnerException: IOException or UnauthorizedAccessException } or InvalidOperationException or OutOfMemoryException;
}
