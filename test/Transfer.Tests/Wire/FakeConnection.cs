namespace Transfer.S3.Tests.Wire;

/// <summary>A connection that receives bytes from the test. A read of zero bytes waits for the next bytes, as in a socket.</summary>
internal sealed class FakeConnection : Stream
{
    private readonly Queue<byte[]> _pieces = new();
    private TaskCompletionSource? _arrival;
    private Exception? _end;

    /// <summary>Gets the lengths of the buffers that were read into.</summary>
    public List<int> Reads { get; } = [];

    public List<byte> Written { get; } = [];

    public bool IsWaiting => _arrival is { Task.IsCompleted: false };

    /// <summary>Gets or sets a callback before bytes are read.</summary>
    public Action? OnRead { get; set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Makes bytes arrive. One read receives them if its buffer is large enough.</summary>
    public void Receive(params byte[] bytes)
    {
        _pieces.Enqueue(bytes);
        _arrival?.TrySetResult();
    }

    /// <summary>Makes reads fail after the bytes that have already arrived.</summary>
    public void Fail(Exception error)
    {
        _end = error;
        _arrival?.TrySetResult();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Reads.Add(buffer.Length);
        if (!buffer.IsEmpty)
        {
            OnRead?.Invoke();
        }

        while (_pieces.Count == 0)
        {
            if (_end is not null)
            {
                throw _end;
            }

            _arrival = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await _arrival.Task.WaitAsync(cancellationToken);
        }

        if (buffer.IsEmpty)
        {
            return 0;
        }

        byte[] piece = _pieces.Dequeue();
        Assert.True(piece.Length <= buffer.Length, "the bytes of the test don't fit into the buffer");
        piece.CopyTo(buffer);
        return piece.Length;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Written.AddRange(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        _pieces.Clear();
        Fail(new ObjectDisposedException(nameof(FakeConnection)));
        base.Dispose(disposing);
    }
}
