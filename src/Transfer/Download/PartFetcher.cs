using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Observability;
using Transfer.S3.Scheduling;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Fetches the parts of one object: sends range requests, reads the bodies directly into chunks, and continues from the last received byte if a body ends
/// early. Every response must be about the same state of the object.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="address">The object.</param>
/// <param name="condition">The caller's conditions, which the first request carries. Later requests are pinned to the state in its response.</param>
/// <param name="verifier">Receives the checksum of every range.</param>
/// <param name="opened">Called with what each response's headers tell about the object, before its body is read.</param>
internal sealed class PartFetcher(
    TransferRun run, ObjectAddress address, ReadCondition condition, ContentVerifier verifier, Action<ObjectHead> opened)
{
    /// <summary>
    /// The number of chunks to receive before a reader is woken, if the socket holds that many. A wake-up switches to another thread, which costs
    /// more than reading a chunk. The number is small enough that the chunks are still in the processor's cache.
    /// </summary>
    private const int ChunksPerWake = 4;

    private static readonly TimeSpan EarlyInterval = TimeSpan.FromMilliseconds(10);
    private readonly RangeSender _ranges = new(run, address);

    /// <summary>Gets or sets the position in the object of offset 0: the first byte of the wanted range.</summary>
    public long Origin { get; set; }

    /// <inheritdoc cref="RangeSender.RequiresETag"/>
    public bool RequiresETag { set => _ranges.RequiresETag = value; }

    /// <summary>Sets the length and the ETag that every response must match.</summary>
    public void Pin(long length, string? etag) => _ranges.Pin(length, etag);

    /// <summary>Requests the first of the wanted bytes, or the whole object if there is no length, to determine what the object is.</summary>
    public Task<RangeBody> SendFirstAsync(long? length, bool wantChecksum, CancellationToken cancellationToken, ChunkLease? memory = null)
        => SendFirstAsync(new RequestedRange(0, length), wantChecksum, cancellationToken, memory);

    /// <summary>Requests a range, or the whole object, to determine what the object is.</summary>
    /// <param name="first">The range.</param>
    /// <param name="wantChecksum">Whether the response should contain the checksum of the object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="memory">The memory for the body, which is returned while the transfer is paused.</param>
    public async Task<RangeBody> SendFirstAsync(RequestedRange first, bool wantChecksum, CancellationToken cancellationToken, ChunkLease? memory = null)
    {
        RequestedRange range = first with { Offset = Origin + first.Offset };
        ReadCondition asked = condition == ReadCondition.None ? _ranges.Pinned : condition;
        Attempts? attempts = null;
        while (true)
        {
            try
            {
                RangeBody body = await _ranges.OpenAsync(range, asked, wantChecksum, FirstCost(range.Length), attempts, memory, cancellationToken).ConfigureAwait(false);
                if (!condition.Allows(body.Info.ETag))
                {
                    body.Dispose();
                    throw new WireException(FailureKind.PreconditionFailed, $"the store ignored If-Match: it returned the ETag {body.Info.ETag}");
                }

                return body;
            }
            catch (WireException failure)
            {
                try
                {
                    await run.Client.Requests.BackOffAsync(failure, attempts ??= new Attempts(), run.Reporter, cancellationToken).ConfigureAwait(false);
                }
                catch (WireException e) when (e.Kind == FailureKind.RangeNotSatisfiable && range is { Length: not null, Offset: 0 } && !IsSized)
                {
                    // A range of an empty object can't be satisfied. A plain GET proves that it is empty, and returns its headers.
                    range = default;
                    attempts = null;
                }
                catch (WireException e)
                {
                    throw Failures.OfFirst(address, condition, range, IsSized, e);
                }
            }
        }
    }

    /// <summary>Requests the first byte of the object to determine its properties, if its size decides what to request.</summary>
    public async Task<ObjectHead> ProbeAsync(CancellationToken cancellationToken)
    {
        using RangeBody body = await SendFirstAsync(1, wantChecksum: false, cancellationToken).ConfigureAwait(false);
        return body.Head;
    }

    /// <summary>Fetches the bytes <c>[offset, offset + length)</c> into a writer.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="lease">The chunks to use.</param>
    /// <param name="writer">Receives the chunks.</param>
    /// <param name="body">The body of a response that has arrived, which the method disposes; null if the range isn't requested yet.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task FetchAsync(
        long offset, long length, ChunkLease lease, IPartWriter writer, RangeBody? body, CancellationToken cancellationToken)
    {
        PartReceiver part = new(this, lease, writer, verifier.Begin(offset), length);
        Attempts? attempts = null;
        try
        {
            while (true)
            {
                long before = part.Received;
                try
                {
                    body ??= await OpenAsync(offset + part.Received, length - part.Received).ConfigureAwait(false);
                    if (body.Length - body.Overlap > length - part.Received)
                    {
                        throw new WireException(FailureKind.RangeIgnored, "the store ignored the range and sent the whole object");
                    }

                    opened(body.Head);
                    long since = run.Reporter.Times.Now - part.Held;
                    try
                    {
                        await part.ReadAsync(body, cancellationToken).ConfigureAwait(false);
                    }
                    finally
                    {
                        run.Reporter.Times.Add(TransferTimeKind.Data, body.Waited);
                        run.Reporter.Times.Add(TransferTimeKind.Receiving, since + part.Held);
                    }

                    body.Complete();
                    _ranges.CountBody(body);
                    break;
                }
                catch (WireException failure) when (failure.Kind != FailureKind.Corrupt)
                {
                    body?.Dispose();
                    body = null;
                    part.WriteOut();
                    attempts ??= new Attempts();
                    if (part.Received - before >= run.Client.Settings.ChunkSizeBytes)
                    {
                        attempts.Progressed(); // with less data per attempt, there would be too many requests
                    }

                    // If one server or cache of the store ignored a range, the store as a whole may still support ranges.
                    attempts.WasRepeated &= !(failure.Kind == FailureKind.RangeIgnored && _ranges.ReadsRanges);
                    try
                    {
                        await run.Client.Requests.BackOffAsync(failure, attempts, run.Reporter, cancellationToken).ConfigureAwait(false);
                    }
                    catch (WireException final)
                    {
                        throw Failures.OfRange(address, new RequestedRange(Origin + offset, length), final);
                    }
                }
                catch (WireException damaged)
                {
                    // The data that was already delivered may be the damaged data. Continuing after it would only hide that.
                    throw Failures.OfRange(address, new RequestedRange(Origin + offset, length), damaged);
                }
            }

            long received = run.Reporter.Times.Now;
            await writer.CompleteAsync(part.Checksum, cancellationToken).ConfigureAwait(false);
            run.Reporter.Times.Add(TransferTimeKind.Receiving, received);
            if (!writer.IsDropped)
            {
                run.Reporter.Bytes.AddPart(length);
            }
        }
        finally
        {
            if (writer.IsDropped)
            {
                run.Reporter.Bytes.Discard(part.Received);
            }

            body?.Dispose();
            part.Dispose();
        }

        Task<RangeBody> OpenAsync(long start, long rest) => _ranges.OpenAsync(
            new RequestedRange(Origin + start, rest), _ranges.Pinned, wantChecksum: false, RequestCost.Part(rest, isHead: writer.IsHead), attempts, lease, cancellationToken);
    }

    /// <summary>Copies the bytes of one part from sockets to chunks, over as many responses as needed.</summary>
    private sealed class PartReceiver(PartFetcher fetcher, ChunkLease lease, IPartWriter writer, RangeChecksum checksum, long length) : IDisposable
    {
        private readonly TimeProvider _time = fetcher.Time;
        private Chunk? _chunk;
        private long _handedOver;
        private int _untold;

        public long Received { get; private set; }

        public RangeChecksum Checksum => checksum;

        /// <summary>Gets how long the reader held all chunks, in timestamp ticks.</summary>
        public long Held { get; private set; }

        public async Task ReadAsync(RangeBody body, CancellationToken cancellationToken)
        {
            long overlap = body.Overlap;
            if (body.Length - overlap != length - Received)
            {
                throw new WireException(FailureKind.Final, $"{length - Received} bytes were requested, but the store sent {body.Length}");
            }

            BodyReceiving? receiving = BodyReceiving.Current = body.Length >= BodyReceiving.LeastBytes ? new BodyReceiving() : null;
            while (Received < length)
            {
                if (_chunk is null && !lease.TryRent(out _chunk))
                {
                    NotifyReader(); // only the chunks that it takes are returned
                    body.Pause();
                    long since = fetcher.Reporter.Times.Now;
                    _chunk = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
                    Held += fetcher.Reporter.Times.Now - since;
                    fetcher.Reporter.Times.Add(TransferTimeKind.Reader, since);
                    body.Resume();
                }

                Memory<byte> free = _chunk.Free;
                free = free[..body.GetPiece((int)Math.Min(free.Length, overlap > 0 ? overlap : length - Received))];
                receiving?.LeftBytes = body.IsTimed ? overlap + length - Received : 0; // a rate limit delays the rest
                ValueTask<int> read = body.ReadAsync(free, cancellationToken);
                int count;
                if (_untold > 0 && !read.IsCompleted)
                {
                    _untold = 0;
                    count = await new InlineContinuationRead(read, writer);
                }
                else
                {
                    if (_untold == ChunksPerWake || !read.IsCompletedSuccessfully)
                    {
                        NotifyReader();
                    }

                    count = await read.ConfigureAwait(false);
                }

                if (count == 0)
                {
                    NotifyReader();
                    throw new WireException(FailureKind.Transient, $"the response body ended after {Received} of {length} bytes");
                }

                ValueTask paced = body.PaceAsync(count, cancellationToken);
                if (!paced.IsCompletedSuccessfully)
                {
                    NotifyReader();
                    await paced.ConfigureAwait(false);
                }

                if (overlap > 0)
                {
                    overlap -= count;
                    continue;
                }

                checksum.Append(free.Span[..count]);
                _chunk.Advance(count);
                Received += count;
                fetcher.AddBytes(count);
                if (_chunk.IsFull || Received == length || IsWorthHandingOver())
                {
                    Chunk chunk = _chunk;
                    _chunk = null;
                    await writer.WriteAsync(chunk, cancellationToken).ConfigureAwait(false);
                    _untold++;
                }
            }
        }

        /// <summary>Writes data that would occupy memory until the next request, which can be after a pause.</summary>
        public void WriteOut()
        {
            Chunk? partial = _chunk;
            _chunk = null;
            if (!writer.TryWriteOut(partial))
            {
                _chunk = partial;
            }
        }

        public void Dispose() => Interlocked.Exchange(ref _chunk, null)?.Dispose();

        private void NotifyReader()
        {
            if (_untold > 0)
            {
                _untold = 0;
                writer.Wake(inline: false);
            }
        }

        // On a slow link, a waiting reader shouldn't wait for a full chunk. On a fast link, partial chunks would only cost more chunks.
        private bool IsWorthHandingOver()
        {
            if (!writer.IsStarved || _time.GetElapsedTime(_handedOver) < EarlyInterval || !lease.TryGrow())
            {
                return false;
            }

            _handedOver = _time.GetTimestamp();
            return true;
        }
    }

    // An object whose length is known may be smaller than its first range.
    private RequestCost FirstCost(long? range)
        => RequestCost.First(_ranges.ObjectLength is >= 0 and var total ? Math.Min(range ?? total, total) : range);

    private bool IsSized => _ranges.ObjectLength >= 0;

    private TimeProvider Time => run.Client.Time;

    private TransferReporter Reporter => run.Reporter;

    private void AddBytes(int count) => run.Reporter.Bytes.Add(count);
}
