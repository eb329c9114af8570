namespace Transfer.S3.Upload;

/// <summary>A source whose parts can be read concurrently and more than once, so that they aren't kept in memory (<see cref="PartBody.ReadOnce"/>).</summary>
internal interface IRandomAccessSource : IConcurrentSource
{
    /// <summary>Fills a buffer with bytes.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="buffer">The buffer.</param>
    /// <exception cref="TransferException">Thrown when the source has fewer bytes than before.</exception>
    void ReadAt(long offset, Span<byte> buffer);

    /// <summary>Creates the exception for bytes that have changed since they were read first.</summary>
    /// <param name="offset">The offset of the first of these bytes.</param>
    /// <param name="count">The number of bytes.</param>
    TransferException Changed(long offset, long count);
}
