using System.Runtime.CompilerServices;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// A connection below TLS that receives many records at once. <see cref="System.Net.Security.SslStream"/> reads one record of at most 16 KiB at a time, and each
/// would need a system call.
/// </summary>
/// <remarks>
/// A buffer is rented only while it holds received bytes, so a connection that waits for data has none. There is one reader and one writer at a time, as on any
/// connection. The stream can be disposed during a read.
/// </remarks>
/// <param name="connection">The connection. It is disposed with this stream.</param>
/// <param name="buffers">The buffers to rent from. If there is none left, the connection is read as it would be without this stream.</param>
internal sealed class TlsReceiveBuffer(Stream connection, ReceiveBuffers buffers) : Stream
{
    /// <summary>The most bytes of a body that TLS holds when it receives more: records that it has begun to read, with a margin for its own buffers.</summary>
    public const int MostHeldBytes = 64 << 10;

    // A method that uses the buffer takes it out of this field, so that a concurrent dispose doesn't return it.
    private byte[]? _buffer;
    private int _offset;
    private int _count;
    private bool _isDisposed;

    // SslStream waits for data with a read of 0 bytes, so that another wait would only be another system call.
    private bool _hasWaited;

    public override bool CanRead => connection.CanRead;

    public override bool CanSeek => false;

    public override bool CanWrite => connection.CanWrite;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_count > 0)
        {
            return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<int>(cancellationToken) : new ValueTask<int>(Take(buffer.Span));
        }

        if (!buffer.IsEmpty)
        {
            return ReceiveAsync(buffer, cancellationToken);
        }

        // A read of 0 bytes waits for data, so an idle connection needs no buffer.
        _hasWaited = true;
        return connection.ReadAsync(buffer, cancellationToken);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(Span<byte> buffer) => _count > 0 ? Take(buffer) : connection.Read(buffer);

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => connection.WriteAsync(buffer, cancellationToken);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => connection.WriteAsync(buffer, offset, count, cancellationToken);

    public override void Write(byte[] buffer, int offset, int count) => connection.Write(buffer, offset, count);

    public override void Flush() => connection.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => connection.FlushAsync(cancellationToken);

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            Volatile.Write(ref _isDisposed, true);
            connection.Dispose();
            ReturnBuffer();
        }

        base.Dispose(disposing);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveAsync(Memory<byte> destination, CancellationToken cancellationToken)
    {
        if (!_hasWaited)
        {
            await connection.ReadAsync(Memory<byte>.Empty, cancellationToken).ConfigureAwait(false);
        }

        _hasWaited = false;
        if (!buffers.TryRent(out byte[]? buffer))
        {
            return await connection.ReadAsync(destination, cancellationToken).ConfigureAwait(false);
        }

        int received = 0;
        int count = 0;
        try
        {
            received = await connection.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            count = Math.Min(received, destination.Length);
            buffer.AsSpan(0, count).CopyTo(destination.Span);
        }
        finally
        {
            Keep(buffer, count, received - count);
        }

        return count;
    }

    /// <summary>Copies bytes that were received.</summary>
    private int Take(Span<byte> destination)
    {
        byte[] buffer = Interlocked.Exchange(ref _buffer, null) ?? throw new ObjectDisposedException(nameof(TlsReceiveBuffer));
        int count = Math.Min(_count, destination.Length);
        buffer.AsSpan(_offset, count).CopyTo(destination);
        Keep(buffer, _offset + count, _count - count);
        return count;
    }

    /// <summary>Keeps the buffer while it holds bytes.</summary>
    private void Keep(byte[] buffer, int offset, int count)
    {
        (_offset, _count) = (offset, count);
        if (count == 0)
        {
            buffers.Return(buffer);
            return;
        }

        Interlocked.Exchange(ref _buffer, buffer);
        if (Volatile.Read(ref _isDisposed))
        {
            ReturnBuffer(); // the dispose found no buffer
        }
    }

    private void ReturnBuffer()
    {
        if (Interlocked.Exchange(ref _buffer, null) is { } buffer)
        {
            buffers.Return(buffer);
        }
    }
}
