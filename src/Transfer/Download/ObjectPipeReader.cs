using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Transfer.S3.Buffers;
using Transfer.S3.Verification;

namespace Transfer.S3.Download;

/// <summary>
/// A pipe reader over the chunks of an ordered read. <see cref="ReadAsync"/> returns the chunks themselves, and each is returned to the pool as soon as
/// <see cref="AdvanceTo(SequencePosition, SequencePosition)"/> has passed it. It supports one reader.
/// </summary>
/// <remarks>
/// If the checksum needs the bytes in order, each chunk is digested before it is returned. Chunks that are returned before the store has reported the
/// algorithm are kept until it has. That takes about one request, so they are too few to be worth a wait.
/// </remarks>
internal sealed class ObjectPipeReader(PartBufferManager parts, ContentVerifier verifier, Func<Task> finish, Action complete) : PipeReader
{
    /// <summary>The maximum number of chunks that one read returns if the previous one left nothing.</summary>
    private const int MaxChunksPerRead = 16;

    // Guards all fields below, because the stream can be disposed while another thread reads.
    private readonly Lock _gate = new();
    private Chunk? _first;
    private Chunk? _last;
    private Queue<Chunk>? _kept;
    private bool _keeps = true;
    private Task? _settling;
    private Chunk? _withheld;
    private int _consumedOfFirst;
    private int _chunks;
    private long _buffered;
    private bool _allExamined;
    private bool _partsEnded;
    private Task? _finishing;
    private Task? _waking;
    private bool _finished;
    private bool _reading;
    private bool _completed;
    private bool _closed;
    private bool _lent;
    private bool _cancelled;

    public override bool TryRead(out ReadResult result) => TryReadNow(out result) || (IsAtEnd() && TryFinish() && TryReadNow(out result));

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<ReadResult>(cancellationToken);
        }

        return TryRead(out ReadResult result) ? new ValueTask<ReadResult>(result) : ReadSlowAsync(cancellationToken);
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        lock (_gate)
        {
            if (_completed)
            {
                // The reader was closed meanwhile. The chunks of the last read were left to this caller until now.
                _lent = false;
                Release();
                return;
            }

            if (!_reading)
            {
                throw new InvalidOperationException("There is no read to advance: call ReadAsync or TryRead first.");
            }

            _reading = false;
            if (_first is null || consumed.GetObject() is not Chunk consumedChunk || examined.GetObject() is not Chunk examinedChunk)
            {
                return;
            }

            long start = _first.RunningIndex + _consumedOfFirst;
            long consumedAt = consumedChunk.RunningIndex + consumed.GetInteger();
            long examinedAt = examinedChunk.RunningIndex + examined.GetInteger();
            if (consumedAt < start || examinedAt < consumedAt || examinedAt > start + _buffered)
            {
                throw new ArgumentOutOfRangeException(nameof(consumed), "The positions are not in the buffer of the last read, or examined is before consumed.");
            }

            _allExamined = examinedAt == start + _buffered;
            Consume(consumedAt - start);
        }
    }

    public override void CancelPendingRead()
    {
        lock (_gate)
        {
            _cancelled = true;
        }

        parts.Wake();
    }

    public override void Complete(Exception? exception = null)
    {
        if (End(isClosed: false, leavesLent: false))
        {
            complete();
        }
    }

    /// <summary>Ends the reading because the stream or its client was disposed.</summary>
    /// <param name="byOwner">
    /// Whether the caller of the reader is done. Otherwise, the result of a read stays valid until the caller advances, because it may still be in use.
    /// </param>
    public void Close(bool byOwner) => End(isClosed: true, leavesLent: !byOwner);

    /// <summary>Copies the available data to the buffer of a stream's caller. Returns 0 if no data is available.</summary>
    public int TryCopy(Span<byte> destination)
    {
        lock (_gate)
        {
            ThrowIfNotReadable();
            int copied = 0;
            while (copied < destination.Length && (_first is not null || TryAppendChunk()))
            {
                ReadOnlySpan<byte> rest = _first!.Filled.Span[_consumedOfFirst..];
                int step = Math.Min(rest.Length, destination.Length - copied);
                rest[..step].CopyTo(destination[copied..]);
                copied += step;
                Consume(step);
            }

            return copied;
        }
    }

    /// <summary>Digests the kept chunks and releases them. The method does nothing until it is known whether the checksum needs them.</summary>
    public void DigestKept()
    {
        lock (_gate)
        {
            if (!_keeps || !verifier.IsSettled)
            {
                return;
            }

            _keeps = false;
            while (_kept?.TryDequeue(out Chunk? chunk) == true)
            {
                verifier.Append(chunk.Filled.Span);
                chunk.Dispose();
            }

            for (Chunk? chunk = _first; chunk is not null; chunk = chunk.NextChunk)
            {
                verifier.Append(chunk.Filled.Span);
            }

            if (_withheld is { } last)
            {
                verifier.Append(last.Filled.Span);
            }
        }
    }

    /// <summary>Gets a value that indicates whether all of the object was read and, if possible, verified.</summary>
    public bool IsAtVerifiedEnd
    {
        get
        {
            lock (_gate)
            {
                return _finished && _buffered == 0 && _withheld is null;
            }
        }
    }

    /// <summary>Waits until data may be available or, after the last part, until the transfer is finished.</summary>
    /// <returns>Whether the transfer is finished.</returns>
    public async ValueTask<bool> WaitAsync(CancellationToken cancellationToken)
    {
        if (!IsAtEnd())
        {
            if (_keeps)
            {
                // The kept chunks may use all the memory that is available for further data.
                _settling ??= WakeWhenSettledAsync();
            }

            await parts.WaitAsync(holdsAll: _buffered > 0 && !_keeps, cancellationToken).ConfigureAwait(false);
            return false;
        }

        if (!TryFinish())
        {
            _waking ??= WakeAfterAsync(_finishing!);

            // This is the same wait as all others, so that CancelPendingRead ends it too.
            await parts.WaitAsync(holdsAll: false, cancellationToken).ConfigureAwait(false);
            return false;
        }

        return true;
    }

    /// <summary>Has the content verified, once. The lock isn't needed, because there is only one reader.</summary>
    /// <returns>Whether it was verified; a failure is thrown.</returns>
    private bool TryFinish()
    {
        Task finishing = _finishing ??= finish();
        if (!finishing.IsCompleted)
        {
            return false;
        }

#pragma warning disable VSTHRD002 // the task has completed
        finishing.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        lock (_gate)
        {
            _finished = true;
        }

        return true;
    }

    private bool TryReadNow(out ReadResult result)
    {
        lock (_gate)
        {
            ThrowIfNotReadable();
            if (!_cancelled)
            {
                Fill();
                if (!HasUnexamined && !_finished)
                {
                    result = default;
                    return false;
                }
            }

            ReadOnlySequence<byte> buffer = _first is null ? ReadOnlySequence<byte>.Empty : new ReadOnlySequence<byte>(_first, _consumedOfFirst, _last!, _last!.Length);
            result = new ReadResult(buffer, _cancelled, _finished && !HasUnexamined);
            _cancelled = false;
            _reading = true;
            return true;
        }
    }

    private async Task WakeWhenSettledAsync()
    {
        while (!verifier.IsSettled)
        {
            await verifier.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        parts.Wake();
    }

    // The wake-up must come after the task has completed. Otherwise, the reader finds the task incomplete and waits forever.
    private async Task WakeAfterAsync(Task task)
    {
        await task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        parts.Wake();
    }

    // A read that has returned the last byte can't report the end before the content was verified.
    private bool IsAtEnd()
    {
        lock (_gate)
        {
            return _partsEnded && !HasUnexamined;
        }
    }

    private bool HasUnexamined => _buffered > 0 && !_allExamined;

    private async ValueTask<ReadResult> ReadSlowAsync(CancellationToken cancellationToken)
    {
        ReadResult result;
        do
        {
            if (Volatile.Read(ref _chunks) >= parts.MostHeldChunks)
            {
                throw new MemoryLimitException(
                    $"The reader examined {ByteSize.Format(_buffered)} and consumed none of it. The store ignores ranges, and the memory for its one response is used up. "
                    + $"Consume some data, or increase {nameof(TransferClientOptions)}.{nameof(TransferClientOptions.MemoryBytes)}.");
            }

            await WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        while (!TryRead(out result));
        return result;
    }

    private void ThrowIfNotReadable()
    {
        ObjectDisposedException.ThrowIf(_closed, typeof(ObjectReadStream));
        if (_completed)
        {
            throw new InvalidOperationException("The reader was completed.");
        }

        if (_reading)
        {
            throw new InvalidOperationException("The last read was not advanced: call AdvanceTo first.");
        }
    }

    private void Fill()
    {
        int room = HasUnexamined ? 0 : MaxChunksPerRead;
        while (room-- > 0 && TryAppendChunk())
        {
            _allExamined = false;
        }
    }

    private bool TryAppendChunk()
    {
        DigestKept();
        if (!TryTakeChunk(out Chunk? chunk))
        {
            return false;
        }

        _buffered += chunk.Length;
        if (_last is not null && chunk.Length <= _last.Free.Length)
        {
            // The small pieces of a slow link would each occupy a chunk as long as the reader keeps them, so they are merged.
            _last.Append(chunk.Filled.Span);
            _last.Relink();
            chunk.Dispose();
            return true;
        }

        chunk.Link(_last);
        _first ??= chunk;
        _last = chunk;
        _chunks++;
        return true;
    }

    private bool TryTakeChunk([NotNullWhen(true)] out Chunk? chunk)
    {
        chunk = null;
        if (_finished)
        {
            chunk = Interlocked.Exchange(ref _withheld, null);
            return chunk is not null;
        }

        if (_partsEnded || !parts.TryTake(out chunk, out _partsEnded))
        {
            return false;
        }

        if (!_keeps)
        {
            verifier.Append(chunk.Filled.Span);
        }

        if (!parts.IsAllTaken)
        {
            return true;
        }

        // The last chunk is returned after the verification. A caller that knows the length doesn't read further and would miss a mismatch.
        _withheld = chunk;
        chunk = null;
        parts.TryTake(out _, out _partsEnded);
        return false;
    }

    private void Consume(long count)
    {
        _buffered -= count;
        count += _consumedOfFirst;
        while (_first is { } chunk && count >= chunk.Length)
        {
            count -= chunk.Length;
            _first = chunk.NextChunk;
            _chunks--;
            if (_keeps)
            {
                (_kept ??= []).Enqueue(chunk);
            }
            else
            {
                chunk.Dispose();
            }
        }

        _consumedOfFirst = (int)count;
        if (_first is null)
        {
            _last = null;
            _allExamined = false;
        }
    }

    /// <returns>Whether it had not ended before.</returns>
    private bool End(bool isClosed, bool leavesLent)
    {
        lock (_gate)
        {
            bool isFirst = !_completed;
            _closed |= isClosed && isFirst;
            _completed = true;
            _lent = leavesLent && _reading && (isFirst || _lent);
            Release();
            return isFirst;
        }
    }

    private void Release()
    {
        Interlocked.Exchange(ref _withheld, null)?.Dispose();
        while (_kept?.TryDequeue(out Chunk? kept) == true)
        {
            kept.Dispose();
        }

        if (_lent)
        {
            return;
        }

        Chunk? chunk = _first;
        _first = null;
        _last = null;
        _buffered = 0;
        _chunks = 0;
        while (chunk is not null)
        {
            Chunk? next = chunk.NextChunk;
            chunk.Dispose();
            chunk = next;
        }
    }
}
