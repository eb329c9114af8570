namespace Transfer.S3.Wire.Http;

/// <summary>
/// A connection that can still be read after a request body could not be sent. A store that rejects a request from its headers can respond and close the connection
/// while the body is being sent. <see cref="SocketsHttpHandler"/> would report only that the body could not be sent, and never read the response.
/// </summary>
/// <remarks>
/// After the error, the rest of the body is discarded. The sender must check <see cref="BodySending.Failure"/>, because a success without the whole body isn't one.
/// </remarks>
/// <param name="connection">The connection. It is disposed with this stream.</param>
internal sealed class EarlyResponseStream(Stream connection) : Stream
{
    private BodySending? _failed;

    public override bool CanRead => connection.CanRead;

    public override bool CanSeek => false;

    public override bool CanWrite => connection.CanWrite;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => connection.ReadAsync(buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => connection.ReadAsync(buffer, offset, count, cancellationToken);

    public override int Read(Span<byte> buffer) => connection.Read(buffer);

    public override int Read(byte[] buffer, int offset, int count) => connection.Read(buffer, offset, count);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        BodySending? sending = BodySending.Current;
        if (_failed is { } failed)
        {
            return failed == sending ? ValueTask.CompletedTask : ValueTask.FromException(failed.Failure!); // the connection can't send another request
        }

        ValueTask write = connection.WriteAsync(buffer, cancellationToken);
        return sending is null || write.IsCompletedSuccessfully ? write : WaitAsync(write, sending);
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(byte[] buffer, int offset, int count) => connection.Write(buffer, offset, count);

    public override void Flush() => connection.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => _failed is null ? connection.FlushAsync(cancellationToken) : Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            connection.Dispose();
        }

        base.Dispose(disposing);
    }

    private async ValueTask WaitAsync(ValueTask write, BodySending sending)
    {
        try
        {
            await write.ConfigureAwait(false);
        }
        catch (IOException e)
        {
            sending.Failure = e;
            _failed = sending;
        }
    }
}
