namespace Transfer.S3.Buffers;

/// <summary>A seekable, read-only stream over the bytes of a request body. The body can be sent again.</summary>
/// <param name="bytes">The bytes.</param>
/// <param name="moved">Called after bytes were read.</param>
/// <param name="pace">
/// Waits until some of the bytes can be sent, and returns their number. Only asynchronous reads wait and release memory, because others don't send.
/// </param>
internal sealed class BodyStream(IBodyBytes bytes, Action? moved = null, Func<int, CancellationToken, ValueTask<int>>? pace = null) : Stream
{
    private const int Unread = 0;
    private const int BeingRead = 1;
    private const int Closed = 2;
    private long _position;
    private int _state;

    public override bool CanRead => Volatile.Read(ref _state) != Closed;

    public override bool CanSeek => CanRead;

    public override bool CanWrite => false;

    public override long Length { get; } = bytes.Length;

    public override long Position
    {
        get => _position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
            if (value == 0)
            {
                Interlocked.CompareExchange(ref _state, Unread, BeingRead); // a caller that rewinds has stopped reading
            }
        }
    }

    /// <summary>Closes the stream unless it is being read. After that, the bytes aren't read anymore and can be released.</summary>
    /// <returns>Whether nothing was read since the stream was created or rewound.</returns>
    public bool TryCloseUnread() => Interlocked.CompareExchange(ref _state, Closed, Unread) is Unread or Closed;

    public override int Read(Span<byte> buffer)
    {
        BeginRead();
        int count = (int)Math.Min(buffer.Length, Math.Max(0, Length - _position));
        for (int read = 0; read < count;)
        {
            ReadOnlySpan<byte> piece = bytes.Read(_position, count - read).Span;
            piece.CopyTo(buffer[read..]);
            read += piece.Length;
            _position += piece.Length;
        }

        if (count > 0)
        {
            moved?.Invoke();
        }

        return count;
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        int most = (int)Math.Min(buffer.Length, Math.Max(0, Length - _position));
        return pace is null || most == 0 ? new ValueTask<int>(ReadToSend(buffer.Span)) : ReadPacedAsync(buffer[..most], pace, cancellationToken);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        Position = origin switch
        {
            SeekOrigin.Begin => offset,
            SeekOrigin.Current => _position + offset,
            _ => Length + offset,
        };
        return _position;
    }

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("The stream does not support writing.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream does not support writing.");

    protected override void Dispose(bool disposing)
    {
        Volatile.Write(ref _state, Closed);
        base.Dispose(disposing);
    }

    private async ValueTask<int> ReadPacedAsync(Memory<byte> buffer, Func<int, CancellationToken, ValueTask<int>> paceAsync, CancellationToken cancellationToken)
    {
        BeginRead(); // a waiting caller is reading, so TryCloseUnread must not close the stream
        int count = await paceAsync(buffer.Length, cancellationToken).ConfigureAwait(false);
        return ReadToSend(buffer.Span[..count]);
    }

    private int ReadToSend(Span<byte> buffer)
    {
        int count = Read(buffer);
        bytes.Sent(_position);
        return count;
    }

    private void BeginRead()
        => ObjectDisposedException.ThrowIf(Volatile.Read(ref _state) != BeingRead && Interlocked.CompareExchange(ref _state, BeingRead, Unread) == Closed, this);
}
