using System.IO.Pipelines;
using Transfer.S3.Upload;

namespace Transfer.S3;

/// <summary>
/// Writes an object whose parts are uploaded in the background. The data can be written to the stream, or to <see cref="Writer"/> without copying it.
/// </summary>
/// <remarks>
/// <para>
/// <see cref="CompleteAsync"/> publishes the object. If the stream is disposed without it, the upload is aborted: no object is published, and nothing remains in the
/// store.
/// </para>
/// <para>
/// The stream is not thread-safe: a call during another call throws an <see cref="InvalidOperationException"/>. A write copies the data into buffers of the client.
/// It waits only if <see cref="UploadOptions.MaxConcurrency"/> parts are in progress, including the one that is being filled, or if the memory budget is
/// exhausted. An object that fits into the first part is published with a single PUT request. Synchronous writes block the calling thread while they wait.
/// </para>
/// <para>
/// Flushing sends nothing, because only full parts can be sent. <see cref="Stream.FlushAsync()"/> throws if the upload has failed. <c>FlushAsync</c> of the writer
/// completes when there is room for more data. If a part fails, the next write or flush and <see cref="CompleteAsync"/> throw the error. If a write is canceled,
/// <see cref="Position"/> includes the bytes of it that were accepted. Writing can continue, or the stream can be disposed.
/// </para>
/// <para>
/// An incomplete part is held in memory. If you write to many streams alternately, each stream that isn't tiny needs memory for a part. If nothing happens that
/// could free memory, a write doesn't wait forever: it throws a <see cref="TransferException"/> after <see cref="TransferClientOptions.StallTimeout"/>, and
/// can be repeated.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using System.IO.Compression;
///
/// await using ObjectWriteStream stream = await client.OpenWriteAsync("bucket", "report.csv.gz");
/// await using (GZipStream zip = new(stream, CompressionLevel.Fastest, leaveOpen: true))
/// await using (FileStream file = File.OpenRead("report.csv"))
/// {
///     await file.CopyToAsync(zip);
/// }
///
/// await stream.CompleteAsync();
/// </code>
/// </example>
public sealed class ObjectWriteStream : Stream
{
    private readonly ObjectWriter _writer;
    private readonly ObjectPipeWriter _pipe;

    internal ObjectWriteStream(ObjectWriter writer)
    {
        _writer = writer;
        _pipe = new ObjectPipeWriter(writer);
    }

    /// <summary>Gets a pipe writer for the same object that doesn't copy the data: its buffers are the chunks that are sent.</summary>
    /// <remarks>
    /// <para>
    /// <c>GetMemory</c> and <c>GetSpan</c> block the calling thread if the caller hasn't flushed and there is no room. If more contiguous memory is requested than
    /// the chunk has left, they return an array that isn't part of the memory budget. Its data is copied by <c>Advance</c>, which then waits for room instead.
    /// </para>
    /// <para>
    /// <c>Complete</c> ends writing, but doesn't publish the object; call <see cref="CompleteAsync"/> for that. If the writer is completed with an error, the object
    /// can't be published.
    /// </para>
    /// </remarks>
    public PipeWriter Writer => _pipe;

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <summary>Gets a value that indicates whether the stream can be written.</summary>
    /// <value><see langword="true"/> until the stream is completed or disposed; then <see langword="false"/>.</value>
    public override bool CanWrite => _writer.IsOpen;

    /// <summary>Not supported, because the length isn't known before the object is complete.</summary>
    /// <exception cref="NotSupportedException">Always thrown.</exception>
    public override long Length => throw new NotSupportedException("The stream does not support seeking.");

    /// <summary>Gets the number of bytes that were accepted, from the stream and the writer together. The position can't be set.</summary>
    /// <exception cref="NotSupportedException">Thrown when the position is set.</exception>
    public override long Position
    {
        get => _writer.Position;
        set => throw new NotSupportedException("The stream does not support seeking.");
    }

    /// <summary>Sends the remaining data, waits for all parts, and publishes the object. The stream must be disposed afterwards.</summary>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. If it is canceled, the upload is aborted.</param>
    /// <returns>The result of the upload. Further calls return the same result or throw the same exception.</returns>
    /// <exception cref="TransferException">Thrown when the upload failed. It was aborted, and no object was published.</exception>
    /// <exception cref="ChecksumMismatchException">Thrown when the store published content that differs from the data that was written.</exception>
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

    /// <summary>Throws if the upload has failed. Nothing is sent, because only full parts can be sent.</summary>
    public override void Flush() => _writer.Flush();

    /// <summary>Throws if the upload has failed. Nothing is sent, because only full parts can be sent.</summary>
    /// <param name="cancellationToken">The token to check for cancellation before the call.</param>
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
#pragma warning disable CA1031 // the exception reaches the caller through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            return Task.FromException(e);
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream does not support reading.");

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The stream does not support seeking.");

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException("The length of the stream can't be set.");

    /// <summary>
    /// Closes the stream. Unless the object is complete, the upload is aborted; the method waits until all buffers have been returned and nothing remains in the
    /// store.
    /// </summary>
    /// <returns>A task that completes when the stream is closed.</returns>
    public override async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the stream as <see cref="DisposeAsync"/> does, but doesn't wait for it. The disposal of the client waits for it.</summary>
    /// <param name="disposing"><see langword="true"/> if the method is called by <see cref="Stream.Dispose()"/>; otherwise, <see langword="false"/>.</param>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _ = CloseAsync();
        }

        base.Dispose(disposing);
    }

    private Task CloseAsync() => _writer.CloseAsync("The stream was disposed before the object was complete. No object was published.", byOwner: true);
}
