using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Fetches the parts of one object. Every response must be about the same state of the object.</summary>
/// <param name="run">The transfer.</param>
/// <param name="address">The object.</param>
/// <param name="condition">The caller's conditions, which the first request carries. Later requests are pinned to the state in its response.</param>
/// <param name="verifier">Receives the checksum of every range.</param>
internal sealed class PartFetcher(TransferRun run, ObjectAddress address, ReadCondition condition, ContentVerifier verifier)
{
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

    /// <summary>Begins to fetch the bytes <c>[offset, offset + length)</c> into a writer. Whoever calls it disposes the fetch.</summary>
    /// <param name="offset">The offset of the first byte.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="lease">The chunks to use.</param>
    /// <param name="writer">Receives the chunks.</param>
    /// <param name="body">The body of a response that has arrived, which the fetch owns; null if the range isn't requested yet.</param>
    public PartFetch Begin(long offset, long length, ChunkLease lease, IPartWriter writer, RangeBody? body = null)
        => new(run, _ranges, new RequestedRange(Origin + offset, length), lease, writer, verifier.Begin(offset), body);

    // An object whose length is known may be smaller than its first range.
    private RequestCost FirstCost(long? range)
        => RequestCost.First(_ranges.ObjectLength is >= 0 and var total ? Math.Min(range ?? total, total) : range);

    private bool IsSized => _ranges.ObjectLength >= 0;
}
