namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A stream that waits at a gate, throws, cancels, or ends at a certain byte. It can also return few bytes per read.</summary>
internal sealed class ScriptedStream(ReadOnlyMemory<byte> content) : Stream
{
    private long _position;

    /// <summary>Gets the maximum number of bytes that a read returns.</summary>
    public int BytesPerRead { get; init; } = int.MaxValue;

    /// <summary>
    /// Gets or sets a callback that is awaited before the byte at <see cref="CueAt"/> is returned, after all bytes before it. It can set the next
    /// one.
    /// </summary>
    public Func<CancellationToken, Task>? Cue { get; set; }

    public long CueAt { get; set; }

    /// <summary>Gets or sets a callback that runs before the byte at <see cref="CueAt"/> is returned, as soon as the read is awaited.</summary>
    public Action? CueWhenAwaited { get; set; }

    public bool Seekable { get; init; }

    /// <summary>Gets the length that the stream reports instead of its actual length.</summary>
    public long? ClaimedLength { get; init; }

    public Exception? DisposeError { get; init; }

    public bool IsDisposed { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => Seekable;

    public override bool CanWrite => false;

    public override long Length => Seekable ? ClaimedLength ?? content.Length : throw new NotSupportedException();

    public override long Position
    {
        get => Seekable ? _position : throw new NotSupportedException();
        set => _position = Seekable ? value : throw new NotSupportedException();
    }

    public static Func<CancellationToken, Task> Throw(Exception error) => _ => Task.FromException(error);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (CueWhenAwaited is not { } cue || _position != CueAt)
        {
            return ReadCuedAsync(buffer, cancellationToken);
        }

        CueWhenAwaited = null;
        return new AwaitedRead(() =>
        {
            cue();
            return Take(buffer);
        }).Task;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Library code reads asynchronously.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    protected override void Dispose(bool disposing)
    {
        IsDisposed = true;
        base.Dispose(disposing);
        if (DisposeError is not null)
        {
            throw DisposeError;
        }
    }

    private async ValueTask<int> ReadCuedAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        while (Cue is { } cue && _position == CueAt)
        {
            Cue = null;
            await cue(cancellationToken).ConfigureAwait(false);
        }

        return Take(buffer);
    }

    private int Take(Memory<byte> buffer)
    {
        int count = (int)Math.Min(Math.Min(buffer.Length, BytesPerRead), content.Length - _position);
        if ((Cue is not null || CueWhenAwaited is not null) && _position < CueAt)
        {
            count = (int)Math.Min(count, CueAt - _position);
        }

        content.Slice((int)_position, count).CopyTo(buffer);
        _position += count;
        return count;
    }
}
