namespace Transfer.S3.Upload;

/// <summary>A stream that is read from its current position, one part after the other. It isn't disposed.</summary>
internal sealed class StreamSource : IUploadSource
{
    private readonly Stream _stream;

    /// <param name="stream">The stream.</param>
    /// <param name="length">The number of bytes that follow, if a stream that can't seek or its caller knows it.</param>
    public StreamSource(Stream stream, long? length)
    {
        _stream = stream;
        Length = stream.CanSeek ? Math.Max(0, stream.Length - stream.Position) : length;
    }

    public long? Length { get; }

    public PartMemory PartMemory => PartMemory.AsItGrows;

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        while (body.Length < count)
        {
            Memory<byte> memory = await body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
            if (memory.Length > count - body.Length)
            {
                memory = memory[..(int)(count - body.Length)];
            }

            int read = await _stream.ReadAsync(memory, cancellationToken).ConfigureAwait(false);
            if (read == 0)
            {
                SourceLength.CheckNotShort(Length, offset + body.Length);
                return;
            }

            body.Advance(memory, read);
        }
    }

    public async ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        if (Length is { } length)
        {
            byte[] one = new byte[1];
            if (await _stream.ReadAsync(one, cancellationToken).ConfigureAwait(false) > 0)
            {
                throw SourceLength.TooLong(length);
            }
        }
    }
}
