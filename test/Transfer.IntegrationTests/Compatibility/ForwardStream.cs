namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>A stream without a length or a position.</summary>
internal sealed class ForwardStream(byte[] content) : Stream
{
    private readonly MemoryStream _content = new(content);

    public override bool CanRead => _content.CanRead;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => _content.Read(buffer, offset, count);

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        _content.Dispose();
        base.Dispose(disposing);
    }
}
