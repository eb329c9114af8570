namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>A stream that generates the pattern as it is read, starting at the given byte. Seeking is optional.</summary>
internal sealed class PatternSource(long length, bool canSeek = false, long start = 0) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => canSeek;

    public override bool CanWrite => false;

    public override long Length => canSeek ? length : throw new NotSupportedException();

    public override long Position
    {
        get => canSeek ? _position : throw new NotSupportedException();
        set => _position = canSeek ? value : throw new NotSupportedException();
    }

    public bool IsDisposed { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        int count = (int)Math.Min(buffer.Length, length - _position);
        Pattern.Fill(buffer[..count], start + _position);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        => cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<int>(cancellationToken) : new(Read(buffer.Span));

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        IsDisposed = true;
        base.Dispose(disposing);
    }
}
