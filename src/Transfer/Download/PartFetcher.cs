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
    private readonly RangeRequests _requests = new(run, address);

    /// <summary>Gets or sets the position in the object of offset 0: the first byte of the wanted range.</summary>
    public long Origin
    {
        get => _requests.Origin;
        set => _requests.Origin = value;
    }

    /// <summary>Sets the length and the ETag that every response must match.</summary>
    public void Pin(long length, string? etag) => _requests.Pin(length, etag);

    /// <summary>Requests the first of the wanted bytes, or the whole object if there is no length, to determine what the object is.</summary>
    public Task<OpenRange> SendFirstAsync(long? length, bool wantChecksum, CancellationToken cancellationToken, ChunkLease? memory = null)
        => SendFirstAsync(new RequestedRange(0, length), wantChecksum, cancellationToken, memory);

    /// <summary>Requests a range, or the whole object, to determine what the object is.</summary>
    /// <param name="first">The range.</param>
    /// <param name="wantChecksum">Whether the response should contain the checksum of the object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="memory">The memory for the body, which is returned while the transfer is paused.</param>
    public async Task<OpenRange> SendFirstAsync(RequestedRange first, bool wantChecksum, CancellationToken cancellationToken, ChunkLease? memory = null)
    {
        long start = Origin + first.Offset;
        try
        {
            return await SendAsync(first).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.RangeNotSatisfiable && first.Length is not null && !IsSized && start == 0)
        {
            // A range of an empty object can't be satisfied. A plain GET proves that it is empty, and returns its headers.
        }
        catch (WireException e)
        {
            throw Failures.OfFirst(address, condition, first with { Offset = start }, IsSized, e);
        }

        try
        {
            return await SendAsync(default).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.OfFirst(address, condition, new RequestedRange(start, null), IsSized, e);
        }

        async Task<OpenRange> SendAsync(RequestedRange range)
        {
            ReadCondition asked = condition == ReadCondition.None ? _requests.Pinned : condition;
            Attempts? attempts = null;
            while (true)
            {
                try
                {
                    RangeRequest request = new(range.Offset, range.Length, asked, wantChecksum, FirstCost(range.Length)) { IsLast = range.IsLast };
                    OpenRange answer = await _requests.OpenAsync(request, attempts, memory, cancellationToken).ConfigureAwait(false);
                    if (!condition.Allows(answer.Info.ETag))
                    {
                        answer.Dispose();
                        throw new WireException(FailureKind.PreconditionFailed, $"the store ignored If-Match: it returned the ETag {answer.Info.ETag}");
                    }

                    return answer;
                }
                catch (WireException failure)
                {
                    await run.Client.Requests.BackOffAsync(failure, attempts ??= new Attempts(), run.Reporter, cancellationToken).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Requests the first byte of the object to determine its properties, if its size decides what to request.</summary>
    public async Task<ObjectHead> ProbeAsync(CancellationToken cancellationToken)
    {
        using OpenRange answer = await SendFirstAsync(1, wantChecksum: false, cancellationToken).ConfigureAwait(false);
        return answer.Head;
    }

    /// <summary>Fetches the bytes <c>[offset, offset + length)</c> into a writer.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="lease">The chunks to use.</param>
    /// <param name="writer">Receives the chunks.</param>
    /// <param name="range">A response that is already open; the method disposes it.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task FetchAsync(
        long offset, long length, ChunkLease lease, IPartWriter writer, OpenRange? range, CancellationToken cancellationToken)
    {
        Body body = new(this, lease, writer, verifier.Begin(offset), length);
        Attempts? attempts = null;
        try
        {
            while (true)
            {
                long before = body.Received;
                try
                {
                    range ??= await _requests.OpenAsync(Rest(body), attempts, lease, cancellationToken).ConfigureAwait(false);
                    if (range.Length - range.Overlap > length - body.Received)
                    {
                        throw new WireException(FailureKind.RangeIgnored, "the store ignored the range and sent the whole object");
                    }

                    opened(range.Head);
                    long since = run.Reporter.Now - body.Held;
                    try
                    {
                        await body.ReadAsync(range, cancellationToken).ConfigureAwait(false);
                    }
                    finally
                    {
                        run.Reporter.AddTime(TransferTimeKind.Data, range.Waited);
                        run.Reporter.AddTime(TransferTimeKind.Receiving, since + body.Held);
                    }

                    range.Complete();
                    _requests.CountBody(range, range.Waited);
                    break;
                }
                catch (WireException failure) when (failure.Kind != FailureKind.Corrupt)
                {
                    range?.Dispose();
                    range = null;
                    body.WriteOut();
                    attempts ??= new Attempts();
                    if (body.Received - before >= run.Client.Settings.ChunkSizeBytes)
                    {
                        attempts.Progressed(); // with less data per attempt, there would be too many requests
                    }

                    // If one server or cache of the store ignored a range, the store as a whole may still support ranges.
                    attempts.WasRepeated &= !(failure.Kind == FailureKind.RangeIgnored && _requests.ReadsRanges);
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

            long received = run.Reporter.Now;
            await writer.CompleteAsync(body.Checksum, cancellationToken).ConfigureAwait(false);
            run.Reporter.AddTime(TransferTimeKind.Receiving, received);
            if (!writer.IsDropped)
            {
                run.Reporter.AddPart(length);
            }
        }
        finally
        {
            if (writer.IsDropped)
            {
                run.Reporter.Discard(body.Received);
            }

            range?.Dispose();
            body.Dispose();
        }

        RangeRequest Rest(Body part)
        {
            long rest = length - part.Received;
            return new RangeRequest(offset + part.Received, rest, _requests.Pinned, WantChecksum: false, RequestCost.Part(rest, isHead: writer.IsHead));
        }
    }

    /// <summary>Copies the bytes of one part from sockets to chunks, over as many responses as needed.</summary>
    private sealed class Body(PartFetcher fetcher, ChunkLease lease, IPartWriter writer, RangeChecksum checksum, long length) : IDisposable
    {
        private readonly TimeProvider _time = fetcher.Time;
        private Chunk? _chunk;
        private long _handedOver;
        private int _untold;

        public long Received { get; private set; }

        public RangeChecksum Checksum => checksum;

        /// <summary>Gets how long the reader held all chunks, in timestamp ticks.</summary>
        public long Held { get; private set; }

        public async Task ReadAsync(OpenRange range, CancellationToken cancellationToken)
        {
            long overlap = range.Overlap;
            if (range.Length - overlap != length - Received)
            {
                throw new WireException(FailureKind.Final, $"{length - Received} bytes were requested, but the store sent {range.Length}");
            }

            while (Received < length)
            {
                if (_chunk is null && !lease.TryRent(out _chunk))
                {
                    NotifyReader(); // only the chunks that it takes are returned
                    range.Pause();
                    long since = fetcher.Reporter.Now;
                    _chunk = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
                    Held += fetcher.Reporter.Now - since;
                    fetcher.Reporter.AddTime(TransferTimeKind.Reader, since);
                    range.Resume();
                }

                Memory<byte> free = _chunk.Free;
                free = free[..range.GetPiece((int)Math.Min(free.Length, overlap > 0 ? overlap : length - Received))];
                ValueTask<int> read = range.ReadAsync(free, cancellationToken);
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

                ValueTask paced = range.PaceAsync(count, cancellationToken);
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
        => RequestCost.First(_requests.ObjectLength is >= 0 and var total ? Math.Min(range ?? total, total) : range);

    private bool IsSized => _requests.ObjectLength >= 0;

    private TimeProvider Time => run.Client.Time;

    private TransferReporter Reporter => run.Reporter;

    private void AddBytes(int count) => run.Reporter.AddBytes(count);
}
