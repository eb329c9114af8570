using System.IO.Pipelines;
using Transfer.Upload;

namespace Transfer;

/// <summary>
/// Writes an object while its parts go up in the background. Write to it as a stream, or through <see cref="Writer"/> without a copy; call
/// <see cref="CompleteAsync"/> at the end. Disposed without that, it aborts: no object is published and nothing is left in the store.
/// </summary>
/// <remarks>
/// <para>
/// For one caller at a time; a call beside another one throws <see cref="InvalidOperationException"/>. A write is a copy into the client's
/// buffers. It waits only while <see cref="UploadOptions.MaxPartsInFlight"/> parts are under way, the one that is being filled included, or while
/// the memory budget is used up. An object that ends within the first part is published by one PUT.
/// </para>
/// <para>
/// Flushing publishes nothing and sends nothing earlier, because a part must be full: <see cref="Stream.FlushAsync()"/> only throws what has gone
/// wrong, and the writer's FlushAsync returns when there is room for more. A part that fails is thrown by the next write or flush and by
/// <see cref="CompleteAsync"/>. A write that is cancelled has taken the bytes that <see cref="Position"/> counts, from its start, and none behind them;
/// the stream can be written on or disposed. The synchronous writes hold the calling thread where they have to wait.
/// </para>
/// <para>
/// An unfinished part is held in memory. Who writes to many streams in turns needs memory for a part of each that is not tiny: where nothing else
/// moves that could free some, a write gives up after <see cref="TransferClientOptions.StallTimeout"/> with
/// <see cref="InvalidOperationException"/> instead of waiting for ever, and can be repeated.
/// </para>
/// </remarks>
public sealed class ObjectWriteStream : Stream
{
    private readonly ObjectWriter _writer;
    private readonly ObjectPipeWriter _pipe;

    internal ObjectWriteStream(ObjectWriter writer)
    {
        _writer = writer;
        _pipe = new ObjectPipeWriter(writer);
    }

    /// <summary>
    /// The same object as a pipe, without a copy: its buffers are the chunks that are sent. GetMemory and GetSpan hold the thread where the caller has not
    /// flushed and there is no room; they copy only where more room is asked for in one piece than the chunk has left, from an array that is not of the memory
    /// budget, and then it is Advance that waits for room.
    /// </summary>
    /// <remarks>
    /// Its Complete ends the writing and no more; the object is published by <see cref="CompleteAsync"/>. Completed with an error, it will not be published.
    /// </remarks>
    public PipeWriter Writer => _pipe;

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <summary>Whether more can be written: neither completed nor disposed.</summary>
    public override bool CanWrite => _writer.IsOpen;

    /// <summary>Not supported: the length is known when the object is complete.</summary>
    public override long Length => throw new NotSupportedException("The stream cannot seek.");

    /// <summary>Bytes taken so far, through the stream and the writer. It can't be set.</summary>
    public override long Position
    {
        get => _writer.Position;
        set => throw new NotSupportedException("The stream cannot seek.");
    }

    /// <summary>Sends what is left, waits for every part and publishes the object. The stream must be disposed all the same.</summary>
    /// <param name="cancellationToken">Ends the upload, which is aborted.</param>
    /// <returns>What was uploaded. Every later call returns, or throws, the same.</returns>
    /// <exception cref="TransferException">The upload failed and was aborted; nothing was published.</exception>
    /// <exception cref="ChecksumMismatchException">The store published another content than was written.</exception>
    public Task<UploadResult> CompleteAsync(CancellationToken cancellationToken = default) => _writer.CompleteAsync(cancellationToken);

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer) => _writer.Write(buffer);

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        _writer.Write(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override void WriteByte(byte value) => _writer.Write(new ReadOnlySpan<byte>(in value));

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => _writer.WriteAsync(buffer, cancellationToken);

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return _writer.WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>Publishes nothing and sends nothing earlier; throws what has gone wrong so far.</summary>
    public override void Flush() => _writer.Flush();

    /// <summary>Publishes nothing and sends nothing earlier; throws what has gone wrong so far.</summary>
    /// <param name="cancellationToken">Checked before.</param>
    /// <returns>A completed task.</returns>
    public override Task FlushAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled(cancellationToken);
        }

        try
        {
            _writer.Flush();
            return Task.CompletedTask;
        }
#pragma warning disable CA1031 // it reaches the caller through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            return Task.FromException(e);
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream cannot be read.");

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The stream cannot seek.");

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("The stream's length is what is written to it.");

    /// <summary>Aborts, unless the object was completed, and waits until every chunk is back in the pool and nothing is left in the store.</summary>
    /// <returns>A task that ends when all is closed.</returns>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>Aborts like <see cref="DisposeAsync"/> and does not wait for it; the client's own disposal does.</summary>
    /// <param name="disposing">Whether it was called by Dispose.</param>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _ = CloseAsync();
        }

        base.Dispose(disposing);
    }

    private Task CloseAsync() => _writer.CloseAsync("The stream was disposed before the object was completed: nothing was published.", byOwner: true);
}
