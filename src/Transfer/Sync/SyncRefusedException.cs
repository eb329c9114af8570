namespace Transfer.S3;

/// <summary>The exception that is thrown when a synchronization has no valid source, so that it could delete everything. Nothing was changed.</summary>
public sealed class SyncRefusedException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="SyncRefusedException"/> class.</summary>
    public SyncRefusedException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="SyncRefusedException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public SyncRefusedException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="SyncRefusedException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public SyncRefusedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Gets the reason.</summary>
    public SyncRefusal Reason { get; init; }
}
