namespace Transfer.S3.Wire.Http;

/// <summary>
/// A connection that can still be read after a request body could not be sent. A store that rejects a request from its headers can respond and close the connection
/// while the body is being sent. <see cref="SocketsHttpHandler"/> would report only that the body could not be sent, and never read the response.
/// </summary>
/// <remarks>
/// After the error, the rest of the body is discarded. The sender must check <see cref="BodySending.Failure"/>, because a success without the whole body isn't one.
/// </remarks>
/// <param name="connection">The connection. It is disposed with this stream.</param>
/// <param name="firstResponse">Takes the time of the client's first response.</param>
/// <param name="time">The clock.</param>
internal sealed class EarlyResponseStream(Stream connection, FirstResponseTime firstResponse, TimeProvider time) : Stream
{
    /// <summary>The place of the first digit of the status in a response, after <c>HTTP/1.1</c> and a space.</summary>
    private const int StatusOffset = 9;

    private long _writtenAt;
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

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask<int> read = connection.ReadAsync(buffer, cancellationToken);
        return firstResponse.Value is null ? MeasureAsync(read, buffer) : read;
    }

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

        if (firstResponse.Value is null)
        {
            _writtenAt = time.GetTimestamp();
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

    /// <summary>Measures the time of a successful response. An error or an interim response can come from less than the store.</summary>
    private async ValueTask<int> MeasureAsync(ValueTask<int> read, Memory<byte> buffer)
    {
        int count = await read.ConfigureAwait(false);
        if (count > StatusOffset && buffer.Span[StatusOffset] == (byte)'2')
        {
            firstResponse.Set(time.GetElapsedTime(_writtenAt));
        }

        return count;
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
