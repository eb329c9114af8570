using System.Runtime.CompilerServices;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// One part while it is fetched: sends requests for its range, reads the bodies directly into chunks, and continues from the last received byte if a body ends early.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="ranges">Sends the requests.</param>
/// <param name="range">The range.</param>
/// <param name="lease">The chunks to use.</param>
/// <param name="writer">Receives the chunks.</param>
/// <param name="checksum">Receives the bytes.</param>
/// <param name="first">The body of a response that has arrived, which this object owns; null if the range isn't requested yet.</param>
internal sealed class PartFetch(
    TransferRun run, RangeSender ranges, RequestedRange range, ChunkLease lease, IPartWriter writer, RangeChecksum checksum, RangeBody? first) : IDisposable
{
    /// <summary>
    /// The number of chunks to receive before a reader is woken, if the socket holds that many. A wake-up switches to another thread, which costs
    /// more than reading a chunk. The number is small enough that the chunks are still in the processor's cache.
    /// </summary>
    private const int ChunksPerWake = 4;

    private static readonly TimeSpan EarlyInterval = TimeSpan.FromMilliseconds(10);
    private readonly long _length = range.Length!.Value;
    private RangeBody? _body = first;
    private Attempts? _attempts;
    private Chunk? _chunk;
    private long _received;
    private long _held;
    private long _handedOver;
    private int _untold;

    private long Missing => _length - _received;

    /// <summary>Waits for a response with the missing bytes, which are read next.</summary>
    /// <returns>What its headers tell about the object.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ObjectHead> OpenAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                RangeBody body = _body ??= await ranges.OpenAsync(
                    new RequestedRange(range.Offset + _received, Missing),
                    ranges.Pinned,
                    wantChecksum: false,
                    RequestCost.Part(Missing, isHead: writer.IsHead),
                    _attempts,
                    lease,
                    cancellationToken).ConfigureAwait(false);
                return body.Length - body.Overlap <= Missing
                    ? body.Head
                    : throw new WireException(FailureKind.RangeIgnored, "the store ignored the range and sent the whole object");
            }
            catch (WireException failure)
            {
                await BackOffAsync(failure, newBytes: 0, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Reads the whole part, with as many responses as needed, and completes the writer.</summary>
    public async Task ReceiveAsync(CancellationToken cancellationToken)
    {
        bool isComplete = false;
        while (!isComplete)
        {
            await OpenAsync(cancellationToken).ConfigureAwait(false);
            RangeBody body = _body!;
            long before = _received;
            long since = run.Reporter.Times.Now - _held;
            try
            {
                try
                {
                    await ReadAsync(body, cancellationToken).ConfigureAwait(false);
                }
                finally
                {
                    run.Reporter.Times.Add(TransferTimeKind.Data, body.Waited);
                    run.Reporter.Times.Add(TransferTimeKind.Receiving, since + _held);
                }

                body.Complete();
                ranges.CountBody(body);
                isComplete = true;
            }
            catch (WireException failure)
            {
                await BackOffAsync(failure, _received - before, cancellationToken).ConfigureAwait(false);
            }
        }

        long received = run.Reporter.Times.Now;
        await writer.CompleteAsync(checksum, cancellationToken).ConfigureAwait(false);
        run.Reporter.Times.Add(TransferTimeKind.Receiving, received);
        if (!writer.IsDropped)
        {
            run.Reporter.Bytes.AddPart(_length);
        }
    }

    public void Dispose()
    {
        if (writer.IsDropped)
        {
            run.Reporter.Bytes.Discard(_received);
        }

        _body?.Dispose();
        Interlocked.Exchange(ref _chunk, null)?.Dispose();
    }

    /// <summary>Gives up a response, and waits before the next request, or throws the error if there is none.</summary>
    private async Task BackOffAsync(WireException failure, long newBytes, CancellationToken cancellationToken)
    {
        if (failure.Kind == FailureKind.Corrupt)
        {
            // The data that was already delivered may be the damaged data. Continuing after it would only hide that.
            throw Failures.OfRange(ranges.Address, range, failure);
        }

        _body?.Dispose();
        _body = null;
        WriteOut();
        _attempts ??= new Attempts();
        if (newBytes >= run.Client.Settings.ChunkSizeBytes)
        {
            _attempts.Progressed(); // with less data per attempt, there would be too many requests
        }

        // If one server or cache of the store ignored a range, the store as a whole may still support ranges.
        _attempts.WasRepeated &= !(failure.Kind == FailureKind.RangeIgnored && ranges.ReadsRanges);
        try
        {
            await run.Client.Requests.BackOffAsync(failure, _attempts, run.Reporter, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException final)
        {
            throw Failures.OfRange(ranges.Address, range, final);
        }
    }

    /// <summary>Copies the bytes of a body from the socket to chunks.</summary>
    private async Task ReadAsync(RangeBody body, CancellationToken cancellationToken)
    {
        long overlap = body.Overlap;
        if (body.Length - overlap != Missing)
        {
            throw new WireException(FailureKind.Final, $"{Missing} bytes were requested, but the store sent {body.Length}");
        }

        BodyReceiving? receiving = BodyReceiving.Current = body.Length >= BodyReceiving.LeastBytes ? new BodyReceiving() : null;
        while (_received < _length)
        {
            if (_chunk is null && !lease.TryRent(out _chunk))
            {
                NotifyReader(); // only the chunks that it takes are returned
                body.Pause();
                long since = run.Reporter.Times.Now;
                _chunk = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
                _held += run.Reporter.Times.Now - since;
                run.Reporter.Times.Add(TransferTimeKind.Reader, since);
                body.Resume();
            }

            Memory<byte> free = _chunk.Free;
            free = free[..body.GetPiece((int)Math.Min(free.Length, overlap > 0 ? overlap : Missing))];
            receiving?.LeftBytes = body.IsTimed ? overlap + Missing : 0; // a rate limit delays the rest
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
                throw new WireException(FailureKind.Transient, $"the response body ended after {_received} of {_length} bytes");
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
            _received += count;
            run.Reporter.Bytes.Add(count);
            if (_chunk.IsFull || _received == _length || IsWorthHandingOver())
            {
                Chunk chunk = _chunk;
                _chunk = null;
                await writer.WriteAsync(chunk, cancellationToken).ConfigureAwait(false);
                _untold++;
            }
        }
    }

    /// <summary>Writes data that would occupy memory until the next request, which can be after a pause.</summary>
    private void WriteOut()
    {
        Chunk? partial = _chunk;
        _chunk = null;
        if (!writer.TryWriteOut(partial))
        {
            _chunk = partial;
        }
    }

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
        if (!writer.IsStarved || run.Client.Time.GetElapsedTime(_handedOver) < EarlyInterval || !lease.TryGrow())
        {
            return false;
        }

        _handedOver = run.Client.Time.GetTimestamp();
        return true;
    }
}
