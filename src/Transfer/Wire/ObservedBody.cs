using System.Runtime.CompilerServices;

namespace Transfer.Wire;

/// <summary>The body of an answer, which tells once how it ended: at its last byte, or when it is disposed before that.</summary>
internal sealed class ObservedBody(Stream body, long length, IDisposable response, Action<long, Exception?> ended) : Stream
{
    private long _received;
    private Exception? _error;
    private int _told;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask<int> read = body.ReadAsync(buffer, cancellationToken);
        if (!read.IsCompletedSuccessfully)
        {
            return WaitAsync(read);
        }

        int count = read.Result;
        Count(count);
        return new ValueTask<int>(count);
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            Tell();
            response.Dispose();
        }

        base.Dispose(disposing);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitAsync(ValueTask<int> read)
    {
        try
        {
            int count = await read.ConfigureAwait(false);
            Count(count);
            return count;
        }
        catch (Exception e)
        {
            _error = e;
            throw;
        }
    }

    private void Count(int count)
    {
        _received += count;
        if (count == 0)
        {
            _error ??= _received < length ? new EndOfStreamException($"the body ended after {_received} of {length} bytes") : null;
        }

        if (_received >= length)
        {
            Tell();
        }
    }

    private void Tell()
    {
        if (Interlocked.Exchange(ref _told, 1) == 0)
        {
            ended(_received, _received >= length ? null : _error ?? new OperationCanceledException("The answer was not read to its end."));
        }
    }
}
