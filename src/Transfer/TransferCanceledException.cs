namespace Transfer.S3;

/// <summary>
/// The exception that is thrown when a canceled transfer could not clean up after itself. For example, its multipart upload could not be aborted and still uses
/// storage.
/// </summary>
/// <remarks>If a canceled transfer cleaned up completely, a plain <see cref="OperationCanceledException"/> is thrown instead.</remarks>
/// <example>
/// <code>
/// using CancellationTokenSource source = new(TimeSpan.FromMinutes(1));
/// try
/// {
///     await client.UploadAsync("movie.mkv", "bucket", "movie.mkv", cancellationToken: source.Token);
/// }
/// catch (TransferCanceledException e)
/// {
///     Console.WriteLine($"Canceled, and parts may remain: {e.CleanupError?.Message}");
/// }
/// catch (OperationCanceledException)
/// {
///     Console.WriteLine("Canceled");
/// }
/// </code>
/// </example>
public sealed class TransferCanceledException : OperationCanceledException
{
    /// <summary>Initializes a new instance of the <see cref="TransferCanceledException"/> class.</summary>
    public TransferCanceledException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransferCanceledException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public TransferCanceledException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransferCanceledException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public TransferCanceledException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal TransferCanceledException(OperationCanceledException cancellation, Exception cleanupError, CancellationToken cancellationToken)
        : base($"{cancellation.Message} Cleaning up failed: {cleanupError.Message}", cancellation, cancellationToken)
        => CleanupError = cleanupError;

    /// <summary>Gets the error that occurred while the transfer cleaned up, for example because an upload could not be aborted.</summary>
    public Exception? CleanupError { get; }
}
