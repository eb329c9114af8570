using Transfer.Wire;

namespace Transfer;

/// <summary>
/// The object is not as the caller demanded with <see cref="DownloadOptions.IfMatch"/> or <see cref="DownloadOptions.IfUnmodifiedSince"/>, or with
/// <see cref="UploadOptions.IfMatch"/>, <see cref="UploadOptions.OnlyIfAbsent"/> or <see cref="CopyOptions.OnlyIfAbsent"/>: the store answered with status 412.
/// Nothing was moved, or nothing published. An object that is replaced later, in the middle of a download, is an <see cref="ObjectChangedException"/>.
/// </summary>
public sealed class PreconditionFailedException : TransferException
{
    /// <summary>Creates the exception without a message of its own.</summary>
    public PreconditionFailedException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What did not hold, for a person.</param>
    public PreconditionFailedException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What did not hold, for a person.</param>
    /// <param name="innerException">What it was caused by.</param>
    public PreconditionFailedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal PreconditionFailedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
