namespace Transfer.S3;

/// <summary>How much of what was read at any position was compared with checksums of the store.</summary>
/// <remarks>
/// The store's checksum of an object covers all of its bytes, so it is compared only if all of them were read. If the object was uploaded in parts that have
/// checksums of their own, each part that was read completely is compared with its checksum. Bytes that are fetched again are compared with the first copy. If there
/// is a mismatch, reads throw a <see cref="ChecksumMismatchException"/>.
/// </remarks>
public sealed record ReadVerdict
{
    /// <summary>
    /// Gets the number of different bytes that were received from the store, by all streams that share the cached data and verify it. If the stream doesn't verify, it
    /// is the number of bytes that the stream has returned.
    /// </summary>
    public required long BytesRead { get; init; }

    /// <summary>Gets the number of these bytes that match a checksum of the store; 0 if the stream doesn't verify.</summary>
    public required long BytesVerified { get; init; }

    /// <summary>Gets the verdict for the whole object; <see langword="null"/> unless all of it was read.</summary>
    public ChecksumVerdict? Content { get; init; }

    /// <summary>Gets a value that indicates whether all that was read was verified.</summary>
    /// <value>
    /// <see langword="true"/> if <see cref="BytesVerified"/> is equal to <see cref="BytesRead"/> and something was compared; otherwise, <see langword="false"/>. If no
    /// byte was read, only an empty object that matches its checksum is verified.
    /// </value>
    public bool IsVerified => BytesVerified == BytesRead && (BytesRead > 0 || Content is { IsVerified: true });

    /// <summary>Gets the reason why not all that was read was verified; <see langword="null"/> if it was.</summary>
    public string? Reason { get; init; }

    /// <inheritdoc/>
    public override string ToString() => IsVerified ? $"verified ({BytesRead} bytes)" : $"verified {BytesVerified} of {BytesRead} bytes ({Reason})";
}
