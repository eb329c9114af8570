using System.Runtime.ExceptionServices;
using Transfer.S3.Buffers;
using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>Writes an object for its stream and its pipe writer. It supports one caller at a time, and ends once.</summary>
/// <remarks>
/// The lock guards the current caller and the end. Memory that a caller got from <see cref="Lend"/> stays valid until its next call, even if the client is disposed
/// before, because the caller may be writing to it.
/// </remarks>
#pragma warning disable CA1001 // every way to end the writer disposes these fields
internal sealed class ObjectWriter
#pragma warning restore CA1001
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;
    private readonly PartSet _parts;
    private readonly PartWriter _writer;
    private readonly CancellationTokenRegistration _clientDisposed;
    private readonly Lock _gate = new();
    private TaskCompletionSource? _left;
    private Task<UploadResult>? _completion;
    private Task? _closing;
    private bool _busy;
    private bool _lent;
    private bool _ended;

    private ObjectWriter(TransferRun run, UploadRequest request, UploadPlan plan, ChunkLease floor)
    {
        _run = run;
        _request = request;
        _parts = new PartSet(run, request, PartMemory.AsItGrows, CancellationToken.None);
        _writer = new PartWriter(request, run.Reporter, _parts, plan, floor);

        // A stream that wasn't disposed must not prevent the client from closing.
        _clientDisposed = run.Client.Stopping.UnsafeRegister(
            static state => _ = ((ObjectWriter)state!).CloseAsync("The client was disposed while the object was being written.", byOwner: false), this);
    }

    /// <summary>Gets the number of bytes that were accepted.</summary>
    public long Position => _writer.Position;

    /// <summary>Gets a value that indicates whether more data can be written.</summary>
    public bool IsOpen => !Volatile.Read(ref _ended) && _completion is null && _closing is null;

    public static async Task<ObjectWriter> OpenAsync(TransferRun run, UploadRequest request, CancellationToken cancellationToken)
    {
        run.Client.EnterTransfer();
        try
        {
            UploadPlan plan = request.Plan(null);
            long since = run.Reporter.Times.Now;
            ChunkLease floor = await run.Client.Pool.LeaseAsync(MemoryUse.Floor, TransferDefaults.FloorChunks, revolving: false, cancellationToken).ConfigureAwait(false);
            run.Reporter.Times.Add(TransferTimeKind.Memory, since);
            return new ObjectWriter(run, request, plan, floor);
        }
        catch (Exception e)
        {
            (e as TransferException)?.BelongsTo(request.Address);
            await run.Reporter.EndAsync(e).ConfigureAwait(false);
            run.Client.LeaveTransfer();
            throw;
        }
    }

    /// <summary>Copies data into parts. It blocks the calling thread while there is no room.</summary>
    public void Write(ReadOnlySpan<byte> source)
    {
        Enter();
        try
        {
            while (!(source = source[Copy(source)..]).IsEmpty)
            {
                Blocking.Wait(WaitAsync(CancellationToken.None));
            }
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Copies data into parts. Data that a canceled call has copied is part of the object.</summary>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            Enter();
            try
            {
                source = source[Copy(source.Span)..];
            }
            catch
            {
                Leave();
                throw;
            }
        }
#pragma warning disable CA1031 // the exception reaches the caller through the task
        catch (Exception e)
#pragma warning restore CA1031
        {
            return ValueTask.FromException(e);
        }

        if (source.IsEmpty)
        {
            Leave();
            return ValueTask.CompletedTask;
        }

        return WriteSlowAsync(source, cancellationToken);
    }

    /// <summary>Throws if the upload has failed. After the end, it does nothing, because a wrapper of the stream may flush it then.</summary>
    public void Flush()
    {
        if (_parts.Error is null && (_completion is not null || Volatile.Read(ref _ended)))
        {
            return;
        }

        Enter();
        Leave();
    }

    /// <summary>
    /// Returns a value that indicates whether a wait for room is unnecessary: there is room for more data, or the object has its maximum size.
    /// </summary>
    public bool HasRoom()
    {
        Enter();
        try
        {
            return _writer.IsAtLimit || _writer.TryGetRoom(out _);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Waits until there is room for more data.</summary>
    public async ValueTask WaitForRoomAsync(CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            while (!_writer.TryGetRoom(out _))
            {
                await WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Gets memory for at least one byte. It blocks the calling thread while there is none.</summary>
    public Memory<byte> Lend()
    {
        Enter();
        try
        {
            Memory<byte> room;
            while (!_writer.TryGetRoom(out room))
            {
                Blocking.Wait(WaitAsync(CancellationToken.None));
            }

            _lent = true;
            return room;
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Counts bytes that were written to the memory of <see cref="Lend"/>.</summary>
    public void Advance(int count)
    {
        Enter();
        try
        {
            _lent = false;
            if (count > 0)
            {
                _writer.Advance(count);
            }
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Ends writing. If there is an error, the object isn't published.</summary>
    public void End(Exception? error)
    {
        Volatile.Write(ref _ended, true);
        if (error is not null)
        {
            _parts.Fail(new TransferException($"{_request.Address}: its writer was completed with an error: {error.Message}", error)
            {
                Bucket = _request.Address.Bucket,
                Key = _request.Address.Key,
            });
        }
    }

    /// <summary>Publishes the object, once. Further calls have the same outcome.</summary>
    public Task<UploadResult> CompleteAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_completion is null)
            {
                ObjectDisposedException.ThrowIf(_closing is not null, typeof(ObjectWriteStream));
                ThrowIfBusy();
                _completion = CompleteOnceAsync(cancellationToken);
            }

            return _completion;
        }
    }

    /// <summary>Aborts the upload, unless the object is published, and waits until the cleanup is complete.</summary>
    public Task CloseAsync(string reason, bool byOwner)
    {
        lock (_gate)
        {
            _closing ??= CloseOnceAsync(reason, byOwner);
            return byOwner ? TakeBackAsync(_closing) : _closing;
        }
    }

    private int Copy(ReadOnlySpan<byte> source)
    {
        int copied = 0;
        while (copied < source.Length && _writer.TryGetRoom(out Memory<byte> room))
        {
            int step = Math.Min(room.Length, source.Length - copied);
            source.Slice(copied, step).CopyTo(room.Span);
            _writer.Advance(step);
            copied += step;
        }

        return copied;
    }

    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        try
        {
            using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(_parts.Stopping, cancellationToken);
            await _writer.WaitForRoomAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _parts.ThrowIfFailed();
            cancellationToken.ThrowIfCancellationRequested();
            throw;
        }

        _parts.ThrowIfFailed();
    }

    private async Task<UploadResult> CompleteOnceAsync(CancellationToken cancellationToken)
    {
        // Don't run on the caller's stack or under its lock.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static (state, token) => ((PartSet)state!).Fail(new OperationCanceledException(token)), _parts);
        try
        {
            _parts.ThrowIfFailed();
            PublishedUpload upload = await _writer.CompleteAsync().ConfigureAwait(false);
            UploadResult result = upload.ToResult(_run.Reporter);
            await _run.Reporter.EndAsync(null).ConfigureAwait(false);
            return result;
        }
        catch (Exception e)
        {
            _writer.Discard();
            Exception first = await _parts.AbandonAsync(e).ConfigureAwait(false);
            await _run.Reporter.EndAsync(first).ConfigureAwait(false);
            ExceptionDispatchInfo.Throw(first);
            throw;
        }
        finally
        {
            await cancelled.DisposeAsync().ConfigureAwait(false);
            await ReleaseAsync().ConfigureAwait(false);
        }
    }

    private async Task CloseOnceAsync(string reason, bool byOwner)
    {
        // Don't run on the caller's stack or under its lock.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        ObjectDisposedException disposed = new(nameof(ObjectWriteStream), reason);
        if (_completion is { } completion)
        {
            if (!completion.IsCompleted)
            {
                _parts.Fail(disposed);
                await ((Task)completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            return;
        }

        _parts.Fail(disposed);
        await WhenLeftAsync().ConfigureAwait(false);
        if (!_lent)
        {
            _writer.Discard();
        }

        Exception first = await _parts.AbandonAsync(disposed).ConfigureAwait(false);
        if (byOwner && first == disposed && _writer.Position > 0)
        {
            Log.NotCompleted(_run.Client.Logger, _request.Address.Bucket, _request.Address.Key, _writer.Position);
        }

        await _run.Reporter.EndAsync(first == disposed ? new OperationCanceledException(reason) : first).ConfigureAwait(false);
        await ReleaseAsync().ConfigureAwait(false);
    }

    private async ValueTask ReleaseAsync()
    {
        await _clientDisposed.DisposeAsync().ConfigureAwait(false);
        _parts.Dispose();
        _run.Client.LeaveTransfer();
    }

    private async Task TakeBackAsync(Task closing)
    {
        await closing.ConfigureAwait(false);
        TakeBack();
    }

    /// <summary>Ends the loan of memory, because the caller doesn't write to it anymore.</summary>
    private void TakeBack()
    {
        lock (_gate)
        {
            if (_closing is not { IsCompleted: true } || !_lent)
            {
                return;
            }

            _lent = false;
        }

        _writer.Discard();
    }

    private Task WhenLeftAsync()
    {
        lock (_gate)
        {
            if (!_busy)
            {
                return Task.CompletedTask;
            }

            _left = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _left.Task;
        }
    }

    private void Enter()
    {
        lock (_gate)
        {
            if (_closing is not null)
            {
                // The reason for closing is the first error, unless the object was complete.
                throw _parts.Error as ObjectDisposedException ?? new ObjectDisposedException(nameof(ObjectWriteStream));
            }

            _parts.ThrowIfFailed();
            if (_ended || _completion is not null)
            {
                throw new InvalidOperationException("The object was completed and can't be written anymore.");
            }

            ThrowIfBusy();
            _busy = true;
        }
    }

    private void ThrowIfBusy()
    {
        if (_busy)
        {
            throw new InvalidOperationException("Another call is in progress. The stream supports one call at a time.");
        }
    }

    private void Leave()
    {
        TaskCompletionSource? left;
        lock (_gate)
        {
            _busy = false;
            left = _left;
        }

        left?.TrySetResult();
    }

    // This is a method and not a local function, because a closure would be allocated for each write.
    private async ValueTask WriteSlowAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken)
    {
        try
        {
            do
            {
                await WaitAsync(cancellationToken).ConfigureAwait(false);
                source = source[Copy(source.Span)..];
            }
            while (!source.IsEmpty);
        }
        finally
        {
            Leave();
        }
    }
}
