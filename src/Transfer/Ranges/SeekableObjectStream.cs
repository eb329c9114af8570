using Transfer.S3.Ranges;
using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>Reads an object at any position. What was read is cached in the memory of the client, and is shared by all streams of the same state of the object.</summary>
/// <remarks>
/// <para>
/// Reads that continue become parallel downloads ahead of the reader, as with <see cref="ObjectReadStream"/>. After a jump, a read fetches what was asked for and as
/// much more as the link transfers without additional time, but no more than the stream used between its last jumps. Requests for data that is no longer wanted are canceled.
/// <see cref="SeekableReadOptions.MaxReadAheadBytes"/> limits what is fetched beyond a read, and <see cref="PrefetchAsync"/> fetches ranges that are known in advance.
/// </para>
/// <para>
/// All bytes are of one state of the object. If it is replaced while the stream is open, reads of data that isn't cached throw a
/// <see cref="TransferException"/> with <see cref="TransferError.ObjectChanged"/>.
/// </para>
/// <para>
/// <see cref="ReadAtAsync"/> and <see cref="ReadAt"/> can be called from many threads at once. The other members use <see cref="Position"/> and support one call at a
/// time. Synchronous members block the calling thread while they wait for data. Disposing the stream stops its requests and releases its memory.
/// <see cref="DisposeAsync"/> waits for that, <see cref="Stream.Dispose()"/> doesn't.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "records.bin");
/// byte[] record = new byte[128];
/// int read = await stream.ReadAtAsync(record, offset: 1000 * record.Length);
/// Console.WriteLine($"{read} bytes with {stream.Requests} requests");
/// </code>
/// </example>
public sealed class SeekableObjectStream : Stream
{
    private readonly SeekableReader _reader;
    private readonly TransferRun _run;
    private readonly CancellationTokenRegistration _clientDisposed;
    private readonly Lock _gate = new();
    private TaskCompletionSource? _closing;
    private long _position;
    private int _busy;

    internal SeekableObjectStream(SeekableReader reader, TransferRun run)
    {
        _reader = reader;
        _run = run;

        // A stream that was never disposed must not prevent the client from closing.
        _clientDisposed = run.Client.Stopping.UnsafeRegister(static state => _ = ((SeekableObjectStream)state!).CloseAsync(), this);
    }

    /// <summary>Gets the properties of the object; <see langword="null"/> until the first response has arrived.</summary>
    public ObjectInfo? Info => _reader.Info;

    /// <summary>Gets the number of requests that were sent for this stream, including retries.</summary>
    public long Requests => _run.Reporter.Requests.Sent;

    /// <summary>Gets the number of bytes that were received for this stream.</summary>
    public long BytesReceived => _run.Reporter.Bytes.Transferred;

    /// <summary>Gets how much of what was read was compared with checksums of the store.</summary>
    /// <remarks>
    /// When all of the object was read, in any order, the read that completes it compares the content. If it doesn't match, this read and all later ones throw a
    /// <see cref="ChecksumMismatchException"/>. The same applies when a part that has its own checksum was read and doesn't match. The checksums of parts are requested
    /// when as many bytes were read as a part has. A part that was read before they arrive is unverified until then, and later reads throw if it doesn't match.
    /// </remarks>
    public ReadVerdict Verdict => _reader.Verdict;

    /// <inheritdoc/>
    public override bool CanRead => _closing is null;

    /// <inheritdoc/>
    public override bool CanSeek => _closing is null;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <summary>Gets the size of the object, in bytes.</summary>
    /// <remarks>
    /// If it isn't known yet, the property requests the last bytes of the object and blocks the thread until the response arrives. It is known after any read, or if
    /// <see cref="ObjectReadOptions.Hint"/> or <see cref="SeekableReadOptions.Open"/> was set.
    /// </remarks>
    public override long Length
    {
        get
        {
            ThrowIfClosed();
            if (_reader.Length < 0)
            {
                Blocking.Wait(_reader.OpenAsync(atEnd: true, CancellationToken.None));
            }

            return _reader.Length;
        }
    }

    /// <summary>Gets or sets the offset of the next byte to read. It can be beyond the end of the object, where reads return no bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is negative.</exception>
    public override long Position
    {
        get
        {
            ThrowIfClosed();
            return _position;
        }

        set
        {
            ThrowIfClosed();
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
        }
    }

    /// <summary>Reads bytes at an offset, without using or changing <see cref="Position"/>. The method is thread-safe.</summary>
    /// <param name="buffer">The buffer. It is filled unless the object ends before.</param>
    /// <param name="offset">The offset of the first byte. Range: 0 or more.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The number of bytes; 0 if the offset is at or beyond the end of the object.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when <paramref name="offset"/> is negative.</exception>
    /// <exception cref="TransferException">Thrown when the object was replaced (<see cref="TransferError.ObjectChanged"/>).</exception>
    /// <exception cref="TransferException">Thrown when the read failed.</exception>
    public ValueTask<int> ReadAtAsync(Memory<byte> buffer, long offset, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<int>(cancellationToken)
            : _closing is not null ? ValueTask.FromException<int>(new ObjectDisposedException(GetType().FullName))
            : _reader.ReadAsync(offset, buffer, isPositional: true, cancellationToken);
    }

    /// <inheritdoc cref="ReadAtAsync"/>
    public int ReadAt(Span<byte> buffer, long offset)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ThrowIfClosed();
        return _reader.Read(offset, buffer, isPositional: true);
    }

    /// <summary>Fetches ranges in parallel before they are read. The method is thread-safe.</summary>
    /// <param name="ranges">
    /// The ranges, in any order. They can overlap. Bytes after the end of the object are ignored, and so is a range that begins there.
    /// </param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. It cancels the requests for the ranges, unless a read waits for them. What has arrived stays.
    /// </param>
    /// <returns>A task that completes when the ranges have arrived, as far as they fit into memory.</returns>
    /// <remarks>
    /// <para>
    /// Reads in these ranges, also while they are being fetched, wait for that data and don't send requests of their own. They fetch nothing beyond the range. Ranges that are close to each other are
    /// fetched with one request, as <see cref="RangeReadOptions.MaxCoalescedBytes"/> describes, but the gap is at most
    /// <see cref="SeekableReadOptions.MaxReadAheadBytes"/>.
    /// </para>
    /// <para>
    /// Data that wasn't read yet takes about a quarter of <see cref="TransferClientOptions.MemoryBytes"/>. The rest of the ranges is fetched in the order of the calls and of the
    /// offsets while the stream reads and so releases memory. Data that is never read is released when other transfers or a later call need its memory, or with
    /// the stream. It is requested again if it is read after that.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when <paramref name="ranges"/> contains <see langword="null"/>.</exception>
    /// <exception cref="TransferException">Thrown when the object was replaced (<see cref="TransferError.ObjectChanged"/>), or when a request failed. Reads try it again.</exception>
    /// <example>
    /// <code>
    /// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "table.parquet");
    /// await stream.PrefetchAsync([ObjectRange.From(4, 1_600_000), ObjectRange.From(12_800_000, 1_600_000)]);
    /// byte[] column = new byte[1_600_000];
    /// await stream.ReadAtAsync(column, 4); // no further request
    /// </code>
    /// </example>
    public Task PrefetchAsync(IReadOnlyList<ObjectRange> ranges, CancellationToken cancellationToken = default)
    {
        ObjectRange[] copy = RangeReadRequest.Copy(ranges);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken)
            : _closing is not null ? Task.FromException(new ObjectDisposedException(GetType().FullName))
            : copy.Length == 0 ? Task.CompletedTask
            : _reader.PrefetchAsync(copy, cancellationToken);
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        using (Enter())
        {
            int count = _reader.Read(_position, buffer, isPositional: false);
            _position += count;
            return count;
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override int ReadByte()
    {
        byte one = 0;
        return Read(new Span<byte>(ref one)) == 0 ? -1 : one;
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        Busy busy = default;
        ValueTask<int> read;
        try
        {
            busy = Enter();
            read = _reader.ReadAsync(_position, buffer, isPositional: false, cancellationToken);
        }
#pragma warning disable CA1031 // the caller gets it through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            busy.Dispose();
            return ValueTask.FromException<int>(e);
        }

        if (!read.IsCompletedSuccessfully)
        {
            return WaitAsync(read, busy);
        }

        int count = read.Result;
        _position += count;
        busy.Dispose();
        return new ValueTask<int>(count);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc cref="CopyToAsync(Stream, int, CancellationToken)"/>
    /// <remarks>The method of the base class would block the thread to get <see cref="Length"/> first.</remarks>
    public new Task CopyToAsync(Stream destination) => CopyToAsync(destination, CancellationToken.None);

    /// <inheritdoc cref="CopyToAsync(Stream, int, CancellationToken)"/>
    /// <remarks>The method of the base class would block the thread to get <see cref="Length"/> first.</remarks>
    public new Task CopyToAsync(Stream destination, CancellationToken cancellationToken) => CopyToAsync(destination, bufferSize: 1, cancellationToken);

    /// <summary>Writes the object from the current position to its end to a stream. The parts are downloaded in parallel from the beginning.</summary>
    /// <param name="destination">The stream to write to.</param>
    /// <param name="bufferSize">A positive number. It has no effect, because no buffer is allocated.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>
    /// A task that completes when all data was written. If the object doesn't fit into the cache and no other stream reads it, the memory of what was copied has
    /// been returned by then.
    /// </returns>
    public override async Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        using (Enter())
        {
            await _reader.CopyToAsync(_position, destination, count => _position += count, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Sets <see cref="Position"/>. Nothing is requested before the next read, unless the size of the object is needed and isn't known yet.</summary>
    /// <param name="offset">The offset, relative to <paramref name="origin"/>.</param>
    /// <param name="origin">The position that the offset is relative to. For <see cref="SeekOrigin.End"/>, see <see cref="Length"/>.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="IOException">Thrown when the position would be negative or larger than <see cref="long.MaxValue"/>.</exception>
    public override long Seek(long offset, SeekOrigin origin)
    {
        ThrowIfClosed();
        long from = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => Length,
            _ => throw new ArgumentException($"The origin is {origin}; it must be Begin, Current, or End.", nameof(origin)),
        };
        if (offset < -from)
        {
            throw new IOException($"The position would be {from + offset}, which is before the beginning of the object.");
        }

        if (offset > long.MaxValue - from)
        {
            throw new IOException($"The position would be {from} + {offset}, which is larger than {long.MaxValue}.");
        }

        _position = from + offset;
        return _position;
    }

    /// <summary>Does nothing, because the stream can't be written.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("The stream does not support writing.");

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream does not support writing.");

    /// <summary>Stops the requests of the stream, and waits until they have ended and its memory was released.</summary>
    /// <returns>A task that completes when the stream is closed.</returns>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _ = CloseAsync();
        }

        base.Dispose(disposing);
    }

    private async ValueTask<int> WaitAsync(ValueTask<int> read, Busy busy)
    {
        using (busy)
        {
            int count = await read.ConfigureAwait(false);
            _position += count;
            return count;
        }
    }

    private Busy Enter()
    {
        ThrowIfClosed();
        return Interlocked.Exchange(ref _busy, 1) == 0
            ? new Busy(this)
            : throw new InvalidOperationException($"Another read is in progress. The stream supports one read at a time; {nameof(ReadAtAsync)} can be called concurrently.");
    }

    private void Leave() => Volatile.Write(ref _busy, 0);

    private void ThrowIfClosed() => ObjectDisposedException.ThrowIf(_closing is not null, this);

    private async Task CloseAsync()
    {
        TaskCompletionSource? closing = null;
        lock (_gate)
        {
            if (_closing is null)
            {
                _closing = closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }

        if (closing is null)
        {
            await _closing.Task.ConfigureAwait(false);
            return;
        }

        await _reader.DisposeAsync().ConfigureAwait(false);
        await _run.Reporter.EndAsync(null).ConfigureAwait(false);
        await _clientDisposed.DisposeAsync().ConfigureAwait(false);
        _run.Client.LeaveTransfer();
        closing.SetResult();
    }

    private readonly struct Busy(SeekableObjectStream? stream) : IDisposable
    {
        public void Dispose() => stream?.Leave();
    }
}
