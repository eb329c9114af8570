using System.Runtime.ExceptionServices;

namespace Transfer.S3.Buffers;

/// <summary>
/// A stream over chunks that is written once and read once, by one writer and one reader at the same time. The writer passes filled chunks; each is returned to the
/// pool when the reader has consumed it.
/// </summary>
/// <remarks>
/// The stream holds any number of bytes without its own array, because the chunks are linked with each other. The writer uses
/// <see cref="Write(Chunk)"/>, <see cref="Wake"/>, and <see cref="Complete"/>. The reader uses <see cref="Stream"/> or, without copying,
/// <see cref="TryTake"/> and <see cref="WaitAsync"/>. The lock guards the queue, and no waiter is woken under it.
/// </remarks>
internal sealed class ChunkedBufferStream : Stream
{
    private readonly Lock _gate = new();
    private readonly AsyncSignal _readable;
    private Chunk? _first;
    private Chunk? _last;
    private bool _completed;
    private Exception? _error;
    private bool _disposed;
    private bool _watched = true;

    // Used only by the reader: the chunk that it is reading.
    private Chunk? _current;
    private int _currentOffset;

    public ChunkedBufferStream()
        : this(new AsyncSignal())
    {
    }

    /// <param name="readable">The signal that is set when there is something to read. Several streams that are read one after the other can share it.</param>
    public ChunkedBufferStream(AsyncSignal readable)
    {
        _readable = readable;
    }

    /// <summary>Gets the number of bytes that were written.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>
    /// Gets a value that indicates whether the reader is waiting for this stream, so that the writer can pass a chunk that isn't full. The value can
    /// change at any time.
    /// </summary>
    public bool IsStarved => Volatile.Read(ref _watched) && Volatile.Read(ref _first) is null && _readable.HasWaiter;

    /// <summary>
    /// Gets or sets a value that indicates whether the reader is reading this stream, and not an earlier one that shares the signal. Otherwise, it isn't woken. The
    /// reader sets the value before it looks for data, and the writer reads it after it has written, so no wake-up is lost.
    /// </summary>
    public bool IsWatched
    {
        get => Volatile.Read(ref _watched);
        set => Volatile.Write(ref _watched, value);
    }

    public override bool CanRead => !Volatile.Read(ref _disposed);

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException("The length is not known until all data was written.");

    public override long Position
    {
        get => throw new NotSupportedException("The stream does not support seeking.");
        set => throw new NotSupportedException("The stream does not support seeking.");
    }

    /// <summary>Takes ownership of a chunk, even if the call fails. If the reader is closed, the chunk is returned immediately.</summary>
    /// <remarks>A waiting reader isn't woken before <see cref="Wake"/>, because a wake-up costs more than a chunk.</remarks>
    public void Write(Chunk chunk)
    {
        bool late;
        lock (_gate)
        {
            late = _completed;
            BytesWritten += late ? 0 : chunk.Length;
            if (!late && !_disposed)
            {
                if (_last is null)
                {
                    Volatile.Write(ref _first, chunk);
                }
                else
                {
                    _last.NextInQueue = chunk;
                }

                _last = chunk;
                chunk = null!;
            }
        }

        chunk?.Dispose();
        if (late)
        {
            throw new InvalidOperationException("The stream was already completed.");
        }
    }

    /// <summary>Wakes a waiting reader after chunks were written.</summary>
    /// <param name="inline">Whether the reader can continue inside this call; see <see cref="AsyncSignal.Set"/>.</param>
    public void Wake(bool inline = false)
    {
        if (Volatile.Read(ref _watched))
        {
            _readable.Set(inline);
        }
    }

    /// <summary>Marks the end. If there is an error, the reader gets it instead of the data that it hasn't taken yet.</summary>
    public void Complete(Exception? error = null)
    {
        lock (_gate)
        {
            if (_completed)
            {
                return;
            }

            _completed = true;
            _error = error;
        }

        Wake();
    }

    /// <summary>Takes the next chunk. The caller becomes its owner.</summary>
    /// <param name="chunk">The chunk; null if there is none yet.</param>
    /// <param name="ended">Whether there will be no more chunks.</param>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Chunk? chunk, out bool ended)
    {
        lock (_gate)
        {
            if (_error is not null)
            {
                ExceptionDispatchInfo.Throw(_error);
            }

            chunk = _first;
            ended = chunk is null && _completed;
            if (chunk is null)
            {
                return false;
            }

            Volatile.Write(ref _first, chunk.NextInQueue);
            chunk.NextInQueue = null;
            if (_first is null)
            {
                _last = null;
            }

            return true;
        }
    }

    /// <summary>Waits until a chunk, the end, or an error may be available.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) => _readable.WaitAsync(cancellationToken);

    public override int Read(Span<byte> buffer)
    {
        int count;
        while (!TryRead(buffer, out count))
        {
            Blocking.Wait(WaitAsync(CancellationToken.None));
        }

        return count;
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        return TryRead(buffer.Span, out int count) ? new ValueTask<int>(count) : WaitThenReadAsync(buffer, cancellationToken);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The stream does not support seeking.");

    public override void SetLength(long value) => throw new NotSupportedException("The stream does not support writing.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream accepts only whole chunks.");

    protected override void Dispose(bool disposing)
    {
        Chunk? chunk;
        lock (_gate)
        {
            _disposed = true;
            chunk = _first;
            _first = null;
            _last = null;
        }

        while (chunk is not null)
        {
            Chunk? next = chunk.NextInQueue;
            chunk.NextInQueue = null;
            chunk.Dispose();
            chunk = next;
        }

        Interlocked.Exchange(ref _current, null)?.Dispose();
        Wake(); // ends a waiting read
        base.Dispose(disposing);
    }

    private bool TryRead(Span<byte> buffer, out int count)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        count = 0;
        if (buffer.IsEmpty)
        {
            return true;
        }

        while (count < buffer.Length)
        {
            if (_current is null)
            {
                if (!TryTake(out _current, out bool ended))
                {
                    return ended || count > 0;
                }

                _currentOffset = 0;
            }

            ReadOnlySpan<byte> rest = _current.Filled.Span[_currentOffset..];
            int step = Math.Min(rest.Length, buffer.Length - count);
            rest[..step].CopyTo(buffer[count..]);
            count += step;
            _currentOffset += step;
            if (step == rest.Length)
            {
                Interlocked.Exchange(ref _current, null).Dispose();
            }
        }

        return true;
    }

    private async ValueTask<int> WaitThenReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        int read;
        do
        {
            await WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        while (!TryRead(buffer.Span, out read));
        return read;
    }
}
