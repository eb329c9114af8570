namespace Transfer.S3;

/// <summary>The exception that is thrown when more objects would be deleted than a limit allows.</summary>
/// <remarks>The limits are <see cref="DeleteDirectoryOptions.MaxDelete"/> and <see cref="SyncOptions.MaxDelete"/>.</remarks>
public sealed class DeletionLimitException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="DeletionLimitException"/> class.</summary>
    public DeletionLimitException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="DeletionLimitException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public DeletionLimitException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="DeletionLimitException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public DeletionLimitException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Gets the number of objects that were deleted before the limit was reached, because objects were added after they were counted. It is usually 0.</summary>
    public long Deleted { get; init; }
}
