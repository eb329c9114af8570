using Transfer.Wire;

namespace Transfer;

/// <summary>The object is not the one that the transfer began with: it was replaced meanwhile, or the caller's hint was wrong.</summary>
public sealed class ObjectChangedException : TransferException
{
    /// <summary>Creates the exception without a message of its own.</summary>
    public ObjectChangedException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What changed, for a person.</param>
    public ObjectChangedException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What changed, for a person.</param>
    /// <param name="innerException">What it was caused by.</param>
    public ObjectChangedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ObjectChangedException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }
}
