using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>
/// Fetches one part after the other asks for it: sends the range, reads the body straight into chunks, and goes on from the last
/// byte where a body breaks off. Every answer must be about the same state of the object.
/// </summary>
/// <param name="context">What the client's transfers share.</param>
/// <param name="address">The object.</param>
/// <param name="condition">The caller's conditions, which the first request carries: those after it are about what it brought.</param>
/// <param name="verifier">Takes every range's checksum.</param>
/// <param name="reporter">Counts the transfer.</param>
/// <param name="opened">Told what each answer's headers said of the object, before its body is read.</param>
internal sealed class PartFetcher(
    ClientContext context, ObjectAddress address, ReadCondition condition, ContentVerifier verifier, TransferReporter reporter, Action<ObjectInfo> opened)
{
    /// <summary>
    /// Chunks that arrive before a reader is woken for them, where the socket holds that many: a wake-up is a hop to another thread, and costs more than
    /// what is read with it. So few that they are still in the processor's cache.
    /// </summary>
    private const int ChunksPerWake = 4;

    private static readonly TimeSpan EarlyInterval = TimeSpan.FromMilliseconds(10);
    private readonly RangeRequests _requests = new(context, address, reporter);

    /// <summary>The byte of the object that offset 0 stands for: the first one of the range that the caller wants.</summary>
    public long Origin
    {
        get => _requests.Origin;
        set => _requests.Origin = value;
    }

    /// <summary>Fixes what every answer must be about.</summary>
    public void Pin(long length, string? etag) => _requests.Pin(length, etag);

    /// <summary>Asks for the object's first bytes, or with no length for all of it, and learns what it is.</summary>
    public async Task<OpenRange> SendFirstAsync(long? length, bool wantChecksum, CancellationToken cancellationToken)
    {
        try
        {
            return await SendAsync(length).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.RangeNotSatisfiable && length is not null && !IsSized && Origin == 0)
        {
            // No range of an empty object can be satisfied. The plain GET proves that it is empty, and brings its headers.
        }
        catch (WireException e)
        {
            throw Failures.OfFirst(address, condition, Origin, length, IsSized, e);
        }

        try
        {
            return await SendAsync(null).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.OfFirst(address, condition, Origin, null, IsSized, e);
        }

        async Task<OpenRange> SendAsync(long? range)
        {
            ReadCondition asked = condition == ReadCondition.None ? _requests.Pinned : condition;
            Attempts? attempts = null;
            while (true)
            {
                try
                {
                    RangeRequest request = new(0, range, asked, wantChecksum, FirstCost(range), IsRetry: attempts is not null);
                    OpenRange answer = await _requests.OpenAsync(request, cancellationToken).ConfigureAwait(false);
                    if (!condition.Allows(answer.Info.ETag))
                    {
                        answer.Dispose();
                        throw new WireException(FailureKind.PreconditionFailed, $"the store ignored If-Match: it returned the ETag {answer.Info.ETag}");
                    }

                    return answer;
                }
                catch (WireException failure)
                {
                    await context.Scheduler.BackOffAsync(failure, attempts ??= new Attempts(), reporter, cancellationToken).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Learns what the object is from its first byte, where the size decides what is to be asked for.</summary>
    public async Task<ObjectInfo> ProbeAsync(CancellationToken cancellationToken)
    {
        using OpenRange answer = await SendFirstAsync(1, wantChecksum: false, cancellationToken).ConfigureAwait(false);
        return answer.Info;
    }

    /// <summary>Brings bytes <c>[offset, offset + length)</c> to the writer.</summary>
    /// <param name="offset">The first byte.</param>
    /// <param name="length">How many.</param>
    /// <param name="lease">The chunks to use.</param>
    /// <param name="writer">Where they go.</param>
    /// <param name="range">An answer that is there already; it is disposed here.</param>
    /// <param name="cancellationToken">Ends it.</param>
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
                    range ??= await _requests.OpenAsync(Rest(body, attempts is not null), cancellationToken).ConfigureAwait(false);
                    if (range.Length - range.Overlap > length - body.Received)
                    {
                        throw new WireException(FailureKind.RangeIgnored, "the store ignored the range and sent the whole object");
                    }

                    opened(range.Info);
                    long since = reporter.Now - body.Held;
                    try
                    {
                        await body.ReadAsync(range, offset, cancellationToken).ConfigureAwait(false);
                    }
                    finally
                    {
                        reporter.AddTime(TransferTimeKind.Data, range.Waited);
                        reporter.AddTime(TransferTimeKind.Receiving, since + body.Held);
                    }

                    range.Complete();
                    _requests.CountBody(range, range.Waited);
                    break;
                }
                catch (WireException) when (range is { IsHandedOver: true })
                {
                    OpenRange silent = range;
                    range = silent.TakeSuccessor(offset + body.Received);
                    silent.Dispose();
                }
                catch (WireException failure) when (failure.Kind != FailureKind.Corrupt)
                {
                    range?.Dispose();
                    range = null;
                    attempts ??= new Attempts();
                    if (body.Received - before >= context.Settings.ChunkSizeBytes)
                    {
                        attempts.Progressed(); // fewer bytes at a time would take more requests than anybody waits for
                    }

                    // One machine or cache that ignored a range does not make a store that reads none.
                    attempts.WasRepeated &= !(failure.Kind == FailureKind.RangeIgnored && _requests.ReadsRanges);
                    try
                    {
                        await context.Scheduler.BackOffAsync(failure, attempts, reporter, cancellationToken).ConfigureAwait(false);
                    }
                    catch (WireException final)
                    {
                        throw Failures.OfRange(address, Origin + offset, length, final);
                    }
                }
                catch (WireException damaged)
                {
                    // What was handed on already may be what is damaged: going on behind it would only hide that.
                    throw Failures.OfRange(address, Origin + offset, length, damaged);
                }
            }

            long received = reporter.Now;
            await writer.CompleteAsync(body.Checksum, cancellationToken).ConfigureAwait(false);
            reporter.AddTime(TransferTimeKind.Receiving, received);
            if (!writer.IsDropped)
            {
                reporter.AddPart(length);
            }
        }
        finally
        {
            if (writer.IsDropped)
            {
                reporter.Discard(body.Received);
            }

            range?.Dispose();
            body.Dispose();
        }

        RangeRequest Rest(Body part, bool isRetry)
        {
            long rest = length - part.Received;
            return new RangeRequest(offset + part.Received, rest, _requests.Pinned, WantChecksum: false, RequestCost.Part(rest, isHead: writer.IsStarved), isRetry);
        }
    }

    /// <summary>The bytes of one part on their way from sockets to chunks, over as many responses as it takes.</summary>
    private sealed class Body(PartFetcher fetcher, ChunkLease lease, IPartWriter writer, RangeChecksum checksum, long length) : IDisposable
    {
        private readonly TimeProvider _time = fetcher.Time;
        private Chunk? _chunk;
        private long _handedOver;
        private int _untold;

        public long Received { get; private set; }

        public RangeChecksum Checksum => checksum;

        /// <summary>Gets how long the reader kept all chunks, in ticks of a timestamp.</summary>
        public long Held { get; private set; }

        public async Task ReadAsync(OpenRange range, long offset, CancellationToken cancellationToken)
        {
            long overlap = range.Overlap;
            long start = offset + Received - overlap;
            bool isWatched = !fetcher._requests.Hedging.IsEnabled;
            if (range.Length - overlap != length - Received)
            {
                throw new WireException(FailureKind.Final, $"{length - Received} bytes were requested, but the store sent {range.Length}");
            }

            while (Received < length)
            {
                if (_chunk is null && !lease.TryRent(out _chunk))
                {
                    TellReader(); // what it takes is what comes back
                    range.Pause();
                    long since = fetcher.Reporter.Now;
                    _chunk = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
                    Held += fetcher.Reporter.Now - since;
                    fetcher.Reporter.AddTime(TransferTimeKind.Reader, since);
                    range.Resume();
                }

                Memory<byte> free = _chunk.Free;
                free = free[..range.PieceOf((int)Math.Min(free.Length, overlap > 0 ? overlap : length - Received))];
                ValueTask<int> read = range.ReadAsync(free, cancellationToken);
                if (!isWatched && !read.IsCompleted)
                {
                    isWatched = true;
                    _ = Handover.WatchAsync(fetcher._requests, range, start, cancellationToken);
                }

                int count;
                if (_untold > 0 && !read.IsCompleted)
                {
                    _untold = 0;
                    count = await new SlipstreamRead(read, writer);
                }
                else
                {
                    if (_untold == ChunksPerWake || !read.IsCompletedSuccessfully)
                    {
                        TellReader();
                    }

                    count = await read.ConfigureAwait(false);
                }

                if (count == 0)
                {
                    TellReader();
                    throw new WireException(FailureKind.Transient, $"the response body ended after {Received} of {length} bytes");
                }

                ValueTask paced = range.PaceAsync(count, cancellationToken);
                if (!paced.IsCompletedSuccessfully)
                {
                    TellReader();
                    await paced.ConfigureAwait(false);
                }

                if (overlap > 0)
                {
                    overlap -= count; // these bytes are there already
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

        public void Dispose() => Interlocked.Exchange(ref _chunk, null)?.Dispose();

        private void TellReader()
        {
            if (_untold > 0)
            {
                _untold = 0;
                writer.Wake(inline: false);
            }
        }

        // A reader that waits should not wait for a full chunk on a slow link; on a fast one that would only cost more chunks.
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

    private TimeProvider Time => context.Time;

    private TransferReporter Reporter => reporter;

    private void AddBytes(int count) => reporter.AddBytes(count);
}
