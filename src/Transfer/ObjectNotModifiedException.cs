using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>
/// The exception that is thrown when a download is skipped because <see cref="DownloadOptions.IfNoneMatch"/> or <see cref="DownloadOptions.IfModifiedSince"/> isn't
/// met (status 304).
/// </summary>
/// <remarks>The caller already has the current object. Nothing was downloaded, and a file at the target wasn't changed.</remarks>
public sealed class ObjectNotModifiedException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="ObjectNotModifiedException"/> class.</summary>
    public ObjectNotModifiedException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ObjectNotModifiedException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public ObjectNotModifiedException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ObjectNotModifiedException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public ObjectNotModifiedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ObjectNotModifiedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
