using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cancellation;

/// <summary>A source, or a target that discards data. A step occurs each time the given number of bytes was read, and at every write.</summary>
internal sealed class SteppingStream(byte[] content, int bytesPerStep, Func<CancellationToken, Task> step) : Stream
{
    private readonly ScriptedStream _content = new(content) { BytesPerRead = bytesPerStep };
    private int _untilStep;

    public bool IsDisposed { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_untilStep <= 0)
        {
            _untilStep = bytesPerStep;
            await step(cancellationToken);
        }

        int count = await _content.ReadAsync(buffer, cancellationToken);
        _untilStep -= count;
        return count;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => await step(cancellationToken);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => step(cancellationToken);

    public override async Task FlushAsync(CancellationToken cancellationToken) => await step(cancellationToken);

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Library code reads asynchronously.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("Library code writes asynchronously.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    protected override void Dispose(bool disposing)
    {
        IsDisposed = true;
        _content.Dispose();
        base.Dispose(disposing);
    }
}
