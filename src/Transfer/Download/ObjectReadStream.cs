using System.IO.Pipelines;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>
/// Reads an object sequentially while its parts are downloaded in parallel. The data can be read from the stream, or from <see cref="Reader"/> without copying it.
/// </summary>
/// <remarks>
/// <para>
/// At the end, the content is compared with the checksum that the store holds. If they differ, the read that would return the last bytes throws a
/// <see cref="ChecksumMismatchException"/>.
/// </para>
/// <para>
/// The stream is not thread-safe: it supports one read at a time. Disposing the stream before its end stops the requests and releases the memory.
/// <see cref="DisposeAsync"/> waits for that, <see cref="Stream.Dispose()"/> doesn't. Synchronous reads block the calling thread while they wait for data.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// await using ObjectReadStream stream = await client.OpenReadAsync("bucket", "report.csv");
/// await using FileStream file = File.Create("report.csv");
/// await stream.CopyToAsync(file);
/// Console.WriteLine(stream.Verdict?.IsVerified); // known at the end
/// </code>
/// </example>
public sealed class ObjectReadStream : Stream
{
    private readonly DownloadCoordinator _coordinator;
    private readonly PartBufferManager _parts;
    private readonly TransferRun _run;
    private readonly Func<Exception?, ValueTask> _ended;
    private readonly ObjectPipeReader _reader;
    private readonly CancellationTokenRegistration _clientDisposed;
    private readonly Lock _gate = new();
    private TaskCompletionSource? _closing;
    private long _position;
    private bool _busy;
    private bool _isClosed;
    private bool _isReaderUsed;

    internal ObjectReadStream(ObjectHead first, DownloadCoordinator coordinator, PartBufferManager parts, TransferRun run, Func<Exception?, ValueTask> ended)
    {
        First = first;
        _coordinator = coordinator;
        _parts = parts;
        _run = run;
        _ended = ended;
        _reader = new ObjectPipeReader(parts, coordinator.Verifier, FinishAsync, () => _ = CloseAsync(byOwner: true));
        _ = ReportFailureAsync();

        // A stream that was never disposed must not prevent the client from closing.
        _clientDisposed = run.Client.Stopping.UnsafeRegister(static state => _ = ((ObjectReadStream)state!).CloseAsync(byOwner: false), this);
    }

    /// <summary>Gets the properties of the object at the time when the stream was opened.</summary>
    public ObjectInfo Info => First.Info;

    /// <summary>Gets what the first response told about the object.</summary>
    internal ObjectHead First { get; }

    /// <summary>Gets a pipe reader over the same data that doesn't copy it: its buffers are the chunks that the network data was received in.</summary>
    /// <remarks>
    /// Chunks are released when the reader advances. The stream and the reader share one position: data that was read from one can't be read from the other.
    /// </remarks>
    public PipeReader Reader
    {
        get
        {
            _isReaderUsed = true;
            return _reader;
        }
    }

    /// <summary>Gets the number of bytes that are left to read; null after <see cref="Reader"/> was used, because its reads are not counted.</summary>
    internal long? RemainingBytes => _isReaderUsed ? null : Length - _position;

    /// <summary>Gets the result of the verification of the content; <see langword="null"/> until the last bytes have been read.</summary>
    public ChecksumVerdict? Verdict { get; private set; }

    /// <summary>Gets a breakdown of the time that the download has taken so far, with the factor that limited its speed.</summary>
    public TransferTimes Times => _run.Reporter.Bottleneck.GetTimes();

    /// <inheritdoc/>
    public override bool CanRead => _closing is null;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <summary>Gets the length of the stream, in bytes: the size of the object, or of <see cref="DownloadOptions.Range"/>.</summary>
    /// <remarks>
    /// The last bytes are returned only after the content was compared with the checksum of the store. So a caller that reads exactly this many bytes knows that the
    /// content was not found to differ.
    /// </remarks>
    public override long Length => _coordinator.Length;

    /// <summary>Gets the number of bytes that were read from the stream. The position can't be set.</summary>
    /// <exception cref="NotSupportedException">Thrown when the position is set.</exception>
    public override long Position
    {
        get => _position;
        set => throw new NotSupportedException("The stream does not support seeking.");
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        using (Enter())
        {
            int count;
            while (!TryRead(buffer, out count))
            {
                Blocking.Wait(_reader.WaitAsync(CancellationToken.None));
            }

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
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        Busy busy = default;
        try
        {
            busy = Enter();
            if (TryRead(buffer.Span, out int count))
            {
                busy.Dispose();
                return new ValueTask<int>(count);
            }
        }
#pragma warning disable CA1031 // the caller gets it through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            busy.Dispose();
            return ValueTask.FromException<int>(e);
        }

        return ReadSlowAsync(buffer, busy, cancellationToken);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>Writes the rest of the object to a stream. The data is written directly from the chunks that it was received in.</summary>
    /// <param name="destination">The stream to write to.</param>
    /// <param name="bufferSize">A positive number. It has no effect, because no buffer is allocated.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A task that completes when all data was written.</returns>
    public override async Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ObjectDisposedException.ThrowIf(_closing is not null, this);
        using (Enter())
        {
            while (true)
            {
                ReadResult result = await _reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                try
                {
                    foreach (ReadOnlyMemory<byte> memory in result.Buffer)
                    {
                        await destination.WriteAsync(memory, cancellationToken).ConfigureAwait(false);
                    }
                }
                finally
                {
                    _position += result.Buffer.Length;
                    _reader.AdvanceTo(result.Buffer.End);
                }

                if (result.IsCompleted)
                {
                    return;
                }
            }
        }
    }

    /// <summary>Does nothing, because the stream can't be written.</summary>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The stream does not support seeking.");

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("The stream does not support writing.");

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream does not support writing.");

    /// <summary>Stops the download if it is still in progress, and waits until all requests have ended and all buffers have been returned.</summary>
    /// <returns>A task that completes when the stream is closed.</returns>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync(byOwner: true).ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _ = CloseAsync(byOwner: true);
        }

        base.Dispose(disposing);
    }

    /// <summary>Counts the time since the last call as time that the transfer waited for its reader. All data was available.</summary>
    internal void CountTail() => _parts.CountTail();

    private bool TryRead(Span<byte> buffer, out int count)
    {
        ObjectDisposedException.ThrowIf(_closing is not null, this);
        count = buffer.IsEmpty ? 0 : _reader.TryCopy(buffer);
        _position += count;

        // A read of no bytes means the end only after the checksum was compared.
        return count > 0 || buffer.IsEmpty || _reader.IsAtVerifiedEnd;
    }

    /// <summary>Compares the checksum and ends the transfer. Called once, after all bytes have been read.</summary>
    private async Task FinishAsync()
    {
        CountTail();
        ChecksumVerdict verdict;
        try
        {
            verdict = await _coordinator.FinishAsync(_reader.DigestKept).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            await _ended(e).ConfigureAwait(false);
            throw;
        }
        catch (OperationCanceledException e)
        {
            // No caller's token is used here, so the stream or its client was disposed.
            throw new ObjectDisposedException("The stream was disposed before its content was verified.", e);
        }

        await _ended(null).ConfigureAwait(false);
        Verdict = verdict;
    }

    private async Task ReportFailureAsync()
    {
        try
        {
            await _coordinator.Completion.ConfigureAwait(false);
        }
#pragma warning disable CA1031 // the reader gets the error from its own call; this reports it to listeners
        catch (Exception e)
#pragma warning restore CA1031
        {
            await _ended(e).ConfigureAwait(false);
        }
    }

    private async Task CloseAsync(bool byOwner)
    {
        TaskCompletionSource? closing = null;
        lock (_gate)
        {
            if (_closing is null)
            {
                _closing = closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }

        if (closing is not null)
        {
            await CloseOnceAsync().ConfigureAwait(false);
            closing.SetResult();
        }
        else
        {
            await _closing.Task.ConfigureAwait(false);
        }

        if (byOwner)
        {
            CloseReader(byOwner: true);
        }
    }

    private async Task CloseOnceAsync()
    {
        _parts.Dispose();
        await _coordinator.DisposeAsync().ConfigureAwait(false);
        if (Verdict is null)
        {
            await _ended(new OperationCanceledException("The stream was disposed before all data was read.")).ConfigureAwait(false);
        }

        await _clientDisposed.DisposeAsync().ConfigureAwait(false);
        CloseReader(byOwner: false);
        _run.Client.LeaveTransfer();
    }

    /// <summary>Returns the reader's chunks. If a read is in progress, its chunks are returned when it ends.</summary>
    private void CloseReader(bool byOwner)
    {
        bool busy;
        lock (_gate)
        {
            _isClosed = true;
            busy = _busy;
        }

        if (!busy)
        {
            _reader.Close(byOwner);
        }
    }

    private Busy Enter()
    {
        lock (_gate)
        {
            if (_busy)
            {
                throw new InvalidOperationException("Another read is in progress. The stream supports one read at a time.");
            }

            _busy = true;
        }

        return new Busy(this);
    }

    private void Leave()
    {
        bool closed;
        lock (_gate)
        {
            _busy = false;
            closed = _isClosed;
        }

        if (closed)
        {
            _reader.Close(byOwner: true);
        }
    }

    // This is a method, because a local function would allocate a closure for each read, including those that find data.
    private async ValueTask<int> ReadSlowAsync(Memory<byte> buffer, Busy busy, CancellationToken cancellationToken)
    {
        using (busy)
        {
            int read;
            do
            {
                await _reader.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            while (!TryRead(buffer.Span, out read));
            return read;
        }
    }

    private readonly struct Busy(ObjectReadStream? stream) : IDisposable
    {
        public void Dispose() => stream?.Leave();
    }
}
