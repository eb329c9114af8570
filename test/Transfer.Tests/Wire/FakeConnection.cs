namespace Transfer.Tests.Wire;

/// <summary>A connection that receives what a test gives it. A read of no bytes waits for the next bytes, as a socket does.</summary>
internal sealed class FakeConnection : Stream
{
    private readonly Queue<byte[]> _pieces = new();
    private TaskCompletionSource? _arrival;
    private Exception? _end;

    /// <summary>Gets the lengths of the buffers that were read into.</summary>
    public List<int> Reads { get; } = [];

    public List<byte> Written { get; } = [];

    public bool IsWaiting => _arrival is { Task.IsCompleted: false };

    /// <summary>Called when bytes are about to be read.</summary>
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

    /// <summary>Has bytes arrive, which one read receives if its buffer is large enough.</summary>
    public void Receive(params byte[] bytes)
    {
        _pieces.Enqueue(bytes);
        _arrival?.TrySetResult();
    }

    /// <summary>Has reads fail once the bytes before were read.</summary>
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
        Assert.True(piece.Length <= buffer.Length, "the test's bytes don't fit");
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
