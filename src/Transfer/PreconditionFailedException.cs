using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>The exception that is thrown when a condition of a transfer isn't met (status 412).</summary>
/// <remarks>
/// <para>
/// The conditions are <see cref="ObjectReadOptions.IfMatch"/>, <see cref="DownloadOptions.IfUnmodifiedSince"/>, <see cref="UploadOptions.IfMatch"/>,
/// <see cref="UploadOptions.Overwrite"/>, <see cref="CopyOptions.Overwrite"/>, and <see cref="DeleteOptions.IfMatch"/>.
/// </para>
/// <para>Nothing was downloaded, published, or deleted. If an object is replaced later, during a download, an <see cref="ObjectChangedException"/> is thrown.</para>
/// </remarks>
public sealed class PreconditionFailedException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="PreconditionFailedException"/> class.</summary>
    public PreconditionFailedException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="PreconditionFailedException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public PreconditionFailedException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="PreconditionFailedException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public PreconditionFailedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal PreconditionFailedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
