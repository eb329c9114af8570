namespace Transfer.S3.Wire;

/// <summary>A body whose beginning was already read.</summary>
/// <param name="begin">The beginning.</param>
/// <param name="rest">The rest, which is disposed together with this stream.</param>
internal sealed class ReplayedBody(ReadOnlyMemory<byte> begin, Stream rest) : Stream
{
    private ReadOnlyMemory<byte> _begin = begin;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_begin.IsEmpty)
        {
            return rest.ReadAsync(buffer, cancellationToken);
        }

        int count = Math.Min(buffer.Length, _begin.Length);
        _begin[..count].CopyTo(buffer);
        _begin = _begin[count..];
        return ValueTask.FromResult(count);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            rest.Dispose();
        }

        base.Dispose(disposing);
    }
}
