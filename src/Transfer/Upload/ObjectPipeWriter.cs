using System.IO.Pipelines;

namespace Transfer.S3.Upload;

/// <summary>The pipe writer of an object that is being written. Its buffers are the chunks of the part that is being filled.</summary>
/// <remarks>
/// A caller that requests more contiguous memory than the chunk has left gets an array that is kept for this purpose, and that is copied when the caller advances.
/// </remarks>
internal sealed class ObjectPipeWriter(ObjectWriter writer) : PipeWriter
{
    private readonly Lock _gate = new();
    private byte[] _large = [];
    private Memory<byte> _lent;
    private bool _isLarge;
    private long _unflushed;
    private bool _completed;
    private bool _cancelNext;
    private CancellationTokenSource? _flushing;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _unflushed;

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ThrowIfCompleted();
        Memory<byte> room = writer.Lend();
        _isLarge = room.Length < sizeHint;
        if (_isLarge)
        {
            if (_large.Length < sizeHint)
            {
                _large = GC.AllocateUninitializedArray<byte>(sizeHint);
            }

            room = _large;
        }

        _lent = room;
        return room;
    }

    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public override void Advance(int bytes)
    {
        if (bytes < 0 || bytes > _lent.Length)
        {
            throw new ArgumentOutOfRangeException(nameof(bytes), bytes, $"{bytes} bytes can't have been written, because the buffer has only {_lent.Length}.");
        }

        ThrowIfCompleted();
        Memory<byte> written = _lent[..bytes];
        _lent = _lent[bytes..];
        if (_isLarge)
        {
            writer.Advance(0);
            writer.Write(written.Span);
        }
        else
        {
            writer.Advance(bytes);
        }

        _unflushed += bytes;
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<FlushResult>(cancellationToken);
        }

        if (_completed)
        {
            return default;
        }

        try
        {
            _lent = default;
            bool hasRoom = writer.HasRoom();
            _unflushed = 0;
            return hasRoom ? new ValueTask<FlushResult>(TakeCancel()) : FlushSlowAsync(cancellationToken);
        }
#pragma warning disable CA1031 // the exception reaches the caller through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            return ValueTask.FromException<FlushResult>(e);
        }
    }

    /// <summary>Writes all of the data, even if <see cref="CancelPendingFlush"/> is called, which only ends the wait for room after the write.</summary>
    public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        try
        {
            ThrowIfCompleted();
        }
        catch (InvalidOperationException e)
        {
            return ValueTask.FromException<FlushResult>(e);
        }

        _lent = default;
        ValueTask writing = writer.WriteAsync(source, cancellationToken);
        return writing.IsCompletedSuccessfully ? FlushAsync(cancellationToken) : WriteSlowAsync(writing, cancellationToken);
    }

    public override void CancelPendingFlush()
    {
        CancellationTokenSource? flushing;
        lock (_gate)
        {
            _cancelNext = true;
            flushing = _flushing;
        }

        flushing?.Cancel();
    }

    /// <summary>Ends writing. The object is published by CompleteAsync of the stream, which fails if there was an error.</summary>
    public override void Complete(Exception? exception = null)
    {
        if (!_completed)
        {
            _completed = true;
            _lent = default;
            writer.End(exception);
        }
    }

    private async ValueTask<FlushResult> FlushSlowAsync(CancellationToken cancellationToken)
    {
#pragma warning disable CA2000 // without a timer or a wait handle, it holds no resources, and a late cancellation must not find it disposed
        CancellationTokenSource flushing = new();
#pragma warning restore CA2000
        lock (_gate)
        {
            if (_cancelNext)
            {
                _cancelNext = false;
                return new FlushResult(isCanceled: true, isCompleted: false);
            }

            _flushing = flushing;
        }

        CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), flushing);
        try
        {
            await writer.WaitForRoomAsync(flushing.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (e.CancellationToken == flushing.Token)
        {
            cancellationToken.ThrowIfCancellationRequested();
        }
        finally
        {
            await registration.DisposeAsync().ConfigureAwait(false);
            lock (_gate)
            {
                _flushing = null;
            }
        }

        return TakeCancel();
    }

    private FlushResult TakeCancel()
    {
        lock (_gate)
        {
            bool cancelled = _cancelNext;
            _cancelNext = false;
            return new FlushResult(cancelled, isCompleted: false);
        }
    }

    private void ThrowIfCompleted()
    {
        if (_completed)
        {
            throw new InvalidOperationException("The writer was completed and can't be written anymore.");
        }
    }

    private async ValueTask<FlushResult> WriteSlowAsync(ValueTask writing, CancellationToken cancellationToken)
    {
        await writing.ConfigureAwait(false);
        return await FlushAsync(cancellationToken).ConfigureAwait(false);
    }
}
