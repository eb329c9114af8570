using Transfer.Wire;

namespace Transfer;

/// <summary>
/// The object is still the one that the caller has: <see cref="DownloadOptions.IfNoneMatch"/> or <see cref="DownloadOptions.IfModifiedSince"/> asked for
/// another, and the store answered with status 304. Nothing was downloaded, and a file at the target stays as it was.
/// </summary>
public sealed class ObjectNotModifiedException : TransferException
{
    /// <summary>Creates the exception without a message of its own.</summary>
    public ObjectNotModifiedException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What was not modified, for a person.</param>
    public ObjectNotModifiedException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What was not modified, for a person.</param>
    /// <param name="innerException">What it was caused by.</param>
    public ObjectNotModifiedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ObjectNotModifiedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
