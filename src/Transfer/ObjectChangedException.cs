using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>
/// The exception that is thrown when an object was replaced or deleted during a transfer, or when it doesn't match the caller's <see cref="ObjectHint"/>.
/// </summary>
public sealed class ObjectChangedException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="ObjectChangedException"/> class.</summary>
    public ObjectChangedException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ObjectChangedException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public ObjectChangedException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ObjectChangedException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public ObjectChangedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ObjectChangedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
