namespace Transfer.Upload;

/// <summary>A source whose parts can be read side by side, and more than once. Any other source is read once, from its start to its end.</summary>
internal interface IRandomAccessSource : IUploadSource
{
    /// <summary>Reads as many bytes as the buffer has room for.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="buffer">The buffer.</param>
    /// <exception cref="TransferException">The source has fewer bytes than it had.</exception>
    void ReadAt(long offset, Span<byte> buffer);

    /// <summary>Returns the failure of an upload that has read bytes twice, and they were not the same.</summary>
    /// <param name="offset">The offset of the first of these bytes.</param>
    /// <param name="count">The number of bytes.</param>
    TransferException Changed(long offset, long count);
}
