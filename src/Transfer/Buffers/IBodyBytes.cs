namespace Transfer.S3.Buffers;

/// <summary>The bytes of a request body. They can be read as often as needed, by one caller at a time.</summary>
internal interface IBodyBytes
{
    /// <summary>Gets the number of bytes.</summary>
    long Length { get; }

    /// <summary>Gets the number of calls of <see cref="Read"/> in turn whose bytes are valid at the same time.</summary>
    int ValidPieces { get; }

    /// <summary>Reads contiguous bytes. They are valid until <see cref="ValidPieces"/> later pieces were read.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="count">The maximum number of bytes to read.</param>
    /// <returns>At least one byte unless <paramref name="offset"/> is at the end.</returns>
    ReadOnlyMemory<byte> Read(long offset, int count = int.MaxValue);

    /// <summary>Reports that the connection has taken all bytes before an offset. They can still be read again.</summary>
    void Sent(long offset);
}
