using Transfer.Wire;

namespace Transfer;

/// <summary>The bytes that were moved are not those that the checksum was made of.</summary>
/// <remarks>A download leaves nothing at its target. An upload that was found out only when it was published says so: its object is there.</remarks>
public sealed class ChecksumMismatchException : TransferException
{
    /// <summary>Creates the exception without a message of its own.</summary>
    public ChecksumMismatchException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What differs, for a person.</param>
    public ChecksumMismatchException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What differs, for a person.</param>
    /// <param name="innerException">What it was caused by.</param>
    public ChecksumMismatchException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal ChecksumMismatchException(string message, ObjectAddress address, WireException failure)
        : base(message, address, failure)
    {
    }

    /// <summary>The algorithm that was compared.</summary>
    public ChecksumAlgorithm Algorithm { get; init; }

    /// <summary>The value that the store holds, in base64.</summary>
    public string? Expected { get; init; }

    /// <summary>The value that was computed here, in base64.</summary>
    public string? Actual { get; init; }
}
