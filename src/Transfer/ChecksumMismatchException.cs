using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>The exception that is thrown when the transferred data doesn't match its checksum.</summary>
/// <remarks>
/// A download leaves nothing at its target. If the mismatch of an upload is detected only after the object was published, the message contains that, and the object
/// exists.
/// </remarks>
/// <example>
/// <code>
/// try
/// {
///     await client.DownloadAsync("bucket", "report.csv", "report.csv");
/// }
/// catch (ChecksumMismatchException e)
/// {
///     Console.WriteLine($"{e.Algorithm}: {e.Expected} expected, {e.Actual} computed. No file was written.");
/// }
/// </code>
/// </example>
public sealed class ChecksumMismatchException : TransferException
{
    /// <summary>Initializes a new instance of the <see cref="ChecksumMismatchException"/> class.</summary>
    public ChecksumMismatchException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ChecksumMismatchException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public ChecksumMismatchException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="ChecksumMismatchException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public ChecksumMismatchException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ChecksumMismatchException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }

    /// <summary>Gets the algorithm of the checksums that were compared.</summary>
    public ChecksumAlgorithm Algorithm { get; init; }

    /// <summary>Gets the checksum that the store holds, in base64.</summary>
    public string? Expected { get; init; }

    /// <summary>Gets the checksum that the client computed, in base64.</summary>
    public string? Actual { get; init; }
}
