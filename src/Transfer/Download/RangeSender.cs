using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Sends requests for ranges of one object, and checks that all responses are about the same state of it.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="address">The object.</param>
internal sealed class RangeSender(TransferRun run, ObjectAddress address)
{
    private long _length = -1;
    private ObjectState? _state;
    private volatile bool _readsRanges;

    public ObjectAddress Address => address;

    /// <summary>Gets or sets a value that indicates whether each response must have an ETag, because the store has listed one.</summary>
    public bool RequiresETag { get; set; }

    /// <summary>Gets the length of the whole object; -1 if it is not known.</summary>
    public long ObjectLength => Volatile.Read(ref _length);

    /// <summary>Gets a value that indicates whether the store has returned a range that is not the whole object.</summary>
    public bool ReadsRanges => _readsRanges;

    /// <summary>Gets the condition that the object is still in the known state.</summary>
    public ReadCondition Pinned => Volatile.Read(ref _state)?.Condition ?? ReadCondition.None;

    /// <summary>Sets the length and the ETag that every response must match.</summary>
    public void Pin(long length, string? etag)
    {
        Volatile.Write(ref _length, length);
        if (!string.IsNullOrEmpty(etag))
        {
            Interlocked.CompareExchange(ref _state, new ObjectState(ETags.Quoted(etag), null, null), null);
        }
    }

    /// <summary>Sends a request once, and waits for its response. What the attempt holds is released with the response.</summary>
    /// <param name="range">The range.</param>
    /// <param name="condition">The conditions that the object must meet.</param>
    /// <param name="wantChecksum">Whether the checksum of the object is requested.</param>
    /// <param name="cost">The class and the cost of the request.</param>
    /// <param name="former">The attempts that failed; null if there are none.</param>
    /// <param name="memory">The memory for the body, which is returned while the transfer is paused; null if it can't be returned.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<RangeBody> OpenAsync(
        RequestedRange range, ReadCondition condition, bool wantChecksum, RequestCost cost, Attempts? former, ChunkLease? memory, CancellationToken cancellationToken)
    {
        RequestRules rules = new(cost) { CanRepeat = true };
        RequestAttempt attempt = await run.Client.Requests.BeginAsync(rules, run.Reporter, former, memory, cancellationToken).ConfigureAwait(false);
        RangeResponse? response = null;
        try
        {
            long total = ObjectLength;
            RequestedRange requested = total < 0 ? range : range with { Total = total };
            response = await attempt.SendAsync(
                static (of, attempt) => of.Wire.GetRangeAsync(of.Address, of.Range, of.Condition, of.WantChecksum, attempt.Token),
                (run.Client.Wire, Address: address, Range: requested, Condition: condition, WantChecksum: wantChecksum),
                readsBody: total < 0).ConfigureAwait(false); // a body whose length isn't known is buffered
            run.Client.Usage.CorrectRequested(response.Length - requested.ExpectedBytes);
            attempt.Answered();
            Check(response);
            _readsRanges |= response.Length < response.Info.Length;
            return new RangeBody(response, attempt);
        }
        catch
        {
            response?.Dispose();
            attempt.Dispose();
            cancellationToken.ThrowIfCancellationRequested();
            throw;
        }
    }

    /// <summary>Counts the time that was spent waiting for the body of a response.</summary>
    public void CountBody(RangeBody body)
    {
        if (body.IsTimed)
        {
            run.Client.Requests.Hedging.Received(body.Waited, body.Length);
        }
    }

    private void Check(RangeResponse response)
    {
        ObjectInfo info = response.Info;
        if (RequiresETag && string.IsNullOrEmpty(info.ETag))
        {
            throw new WireException(FailureKind.Transient, "the response has no ETag, but the listing has one: is it that of the store?");
        }

        long length = Interlocked.CompareExchange(ref _length, info.Length, -1);
        if (length >= 0 && length != info.Length)
        {
            throw new TransferException($"{address} has {info.Length} bytes now, but {length} were expected.") { Error = TransferError.ObjectChanged, Bucket = address.Bucket, Key = address.Key };
        }

        // Responses to ranges that started together arrive concurrently. The first one decides for all.
        ObjectState? known = Volatile.Read(ref _state);
        while (true)
        {
            if (known?.DifferenceFrom(info) is { } difference)
            {
                throw new TransferException($"{address} was replaced: {difference}.") { Error = TransferError.ObjectChanged, Bucket = address.Bucket, Key = address.Key };
            }

            ObjectState state = known is null ? ObjectState.From(info) : known.With(info);
            if (state == known)
            {
                return;
            }

            ObjectState? former = Interlocked.CompareExchange(ref _state, state, known);
            if (ReferenceEquals(former, known))
            {
                return;
            }

            known = former;
        }
    }
}
