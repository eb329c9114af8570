using Transfer.S3.Buffers;
using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>Divides the data that a caller writes into parts. Each part is filled in place, and passed on when it is full or at the end.</summary>
/// <remarks>
/// The first part starts with the few chunks that every open stream has, and takes memory while it grows, so that many small objects can be open at the same time.
/// </remarks>
internal sealed class PartWriter
{
    private readonly UploadRequest _request;
    private readonly TransferReporter _reporter;
    private readonly PartSet _parts;
    private readonly UploadPlan _plan;
    private PartBody? _body;
    private long? _idleSince;

    public PartWriter(UploadRequest request, TransferReporter reporter, PartSet parts, UploadPlan plan, ChunkLease floor)
    {
        _request = request;
        _reporter = reporter;
        _parts = parts;
        _plan = plan;
        _body = parts.OpenOn(floor, _plan.PartSizeBytes);
    }

    /// <summary>Gets the number of bytes that were accepted.</summary>
    public long Position { get; private set; }

    /// <summary>
    /// Gets a value that indicates whether the object has the maximum number of parts, all of them full: it can be completed, but no more data can be written.
    /// </summary>
    public bool IsAtLimit => _body is null && _parts.Begun == _request.MaxParts;

    /// <summary>Gets memory for at least one byte, unless that requires a wait.</summary>
    public bool TryGetRoom(out Memory<byte> room)
    {
        room = default;
        CountIdle();
        if (_body is null && !_parts.TryOpen(NextSize(), out _body))
        {
            return false;
        }

        return _body.TryGetRoom(out room);
    }

    /// <summary>Waits for a slot in the window and for memory, if necessary.</summary>
    public async ValueTask WaitForRoomAsync(CancellationToken cancellationToken)
    {
        _body ??= await _parts.OpenAsync(NextSize(), cancellationToken).ConfigureAwait(false);
        await _body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Counts bytes that were written to the start of the memory.</summary>
    public void Advance(int count)
    {
        PartBody body = _body!;
        body.Advance(count);
        Position += count;
        if (body.IsFull)
        {
            _body = null;
            body.CountFilling(TransferTimeKind.Source);
            _idleSince = _reporter.Times.Now;
            _parts.Send(body);
            _parts.LogLimit(_plan, Position);
        }
    }

    /// <summary>Publishes the object, with one request if it is smaller than a part.</summary>
    public async Task<PublishedUpload> CompleteAsync()
    {
        CountIdle();
        PartBody? last = _body;
        _body = null;
        last?.CountFilling(TransferTimeKind.Source);
        if (_parts.Begun == 0)
        {
            _reporter.SetTotal(Position, 0);
            return await _parts.PutAsync(last!, _parts.Stopping).ConfigureAwait(false);
        }

        if (last is { Length: > 0 })
        {
            _parts.Send(last);
        }
        else if (last is not null)
        {
            _parts.Return(last);
        }

        _reporter.SetTotal(Position, _parts.Begun);
        return await _parts.CompleteAsync(_parts.Stopping).ConfigureAwait(false);
    }

    /// <summary>Releases the part that was being filled.</summary>
    public void Discard()
    {
        if (_body is { } body)
        {
            _body = null;
            _parts.Return(body);
        }
    }

    /// <summary>Counts the time since the last part was full in which the caller wrote nothing.</summary>
    private void CountIdle()
    {
        if (_idleSince is { } since)
        {
            _reporter.Times.Add(TransferTimeKind.Source, since);
            _idleSince = null;
        }
    }

    private long NextSize()
    {
        if (_parts.Begun < _request.MaxParts)
        {
            return _plan.GetSize(_parts.Begun + 1);
        }

        TransferException error = _request.TooManyParts(Position);
        error.BelongsTo(_request.Address);
        _parts.Fail(error);
        throw error;
    }
}
