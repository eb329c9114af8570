using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>
/// Sends requests for ranges of one object, and checks that all responses are about the same state of it. A request that is overdue is sent a second
/// time, and the first response is used.
/// </summary>
/// <param name="context">The resources that all transfers of the client share.</param>
/// <param name="address">The object.</param>
/// <param name="reporter">Counts the transfer.</param>
internal sealed class RangeRequests(ClientContext context, ObjectAddress address, TransferReporter reporter)
{
    private long _length = -1;
    private ObjectState? _state;
    private volatile bool _readsRanges;

    /// <summary>Gets or sets the position in the object of offset 0: the first byte of the wanted range.</summary>
    public long Origin { get; set; }

    /// <summary>Gets the length of the whole object; -1 if it is not known.</summary>
    public long ObjectLength => Volatile.Read(ref _length);

    /// <summary>Gets a value that indicates whether the store has returned a range that is not the whole object.</summary>
    public bool ReadsRanges => _readsRanges;

    /// <summary>Gets the condition that the object is still in the known state.</summary>
    public ReadCondition Pinned => Volatile.Read(ref _state)?.Condition ?? ReadCondition.None;

    /// <summary>Gets the hedging policy of the client.</summary>
    public HedgePolicy Hedging => context.Hedging;

    /// <summary>Sets the length and the ETag that every response must match.</summary>
    public void Pin(long length, string? etag)
    {
        Volatile.Write(ref _length, length);
        if (!string.IsNullOrEmpty(etag))
        {
            Interlocked.CompareExchange(ref _state, new ObjectState(ETags.Quoted(etag), null, null), null);
        }
    }

    /// <summary>Sends a request and waits for its response. The slot is released with the response.</summary>
    /// <param name="request">The request.</param>
    /// <param name="memory">The memory for the body, which is returned while the transfer is paused; null if it can't be returned.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<OpenRange> OpenAsync(RangeRequest request, ChunkLease? memory, CancellationToken cancellationToken)
    {
        await context.Scheduler.WhenRunningAsync(reporter.Pause, reporter, memory, cancellationToken).ConfigureAwait(false);
        RequestSlot slot = await context.Scheduler.EnterAsync(reporter, request.Cost, request.IsRetry, cancellationToken).ConfigureAwait(false);
        RangeAttempt first = Begin(request, slot, cancellationToken);
        if (Hedging.IsEnabled && !first.Response.IsCompleted)
        {
            TimeSpan delay = Hedging.FirstByteDelay;
            if (await first.Guard.WatchResponseAsync(delay).ConfigureAwait(false))
            {
                return await RaceAsync(first, request, delay, cancellationToken).ConfigureAwait(false);
            }
        }

        return await first.Response.ConfigureAwait(false);
    }

    /// <summary>Waits for a slot for a second request, unless the first one ends before.</summary>
    public ValueTask<RequestSlot?> EnterUnlessEndedAsync(Task first, RequestCost cost, CancellationToken cancellationToken)
        => context.Scheduler.EnterUnlessEndedAsync(first, reporter, cost, cancellationToken);

    /// <summary>Sends a request once.</summary>
    public RangeAttempt Begin(RangeRequest request, RequestSlot slot, CancellationToken cancellationToken)
    {
        StallGuard guard = new(StallTimeout, context.Time, cancellationToken);
        guard.Pace = RequestPace.Of(reporter, slot, guard, context.Scheduler);
        long startedAt = context.Time.GetTimestamp();
        return new RangeAttempt(guard, startedAt, SendAsync(request, slot, guard, startedAt, cancellationToken));
    }

    /// <summary>Waits in the background for a request that another one replaced. The client isn't disposed before that.</summary>
    public void Abandon(RangeAttempt loser) => _ = AbandonAsync(loser);

    /// <summary>Reports that work begins that goes on in the background. The client isn't disposed before it ends.</summary>
    public void EnterBackground() => context.EnterTransfer();

    /// <summary>Reports that the work has ended.</summary>
    public void LeaveBackground() => context.LeaveTransfer();

    /// <summary>Counts a request that is sent a second time.</summary>
    public void CountHedge() => reporter.AddHedge();

    /// <summary>Counts the time that was spent waiting for the body of a response.</summary>
    public void CountBody(OpenRange range, TimeSpan waited)
    {
        if (range.IsTimed)
        {
            Hedging.Received(waited, range.Length);
        }
    }

    /// <summary>Sends an overdue request a second time as soon as that is possible.</summary>
    private async Task<OpenRange> RaceAsync(RangeAttempt first, RangeRequest request, TimeSpan delay, CancellationToken cancellationToken)
    {
        Hedging.BeginOverdue();
        try
        {
            while (!Hedging.TryTake(request.Cost.Bytes, isSilent: delay >= Hedging.SilenceDelay))
            {
                delay *= 2;
                if (!await first.Guard.WatchResponseAsync(delay).ConfigureAwait(false))
                {
                    return await first.Response.ConfigureAwait(false);
                }
            }

            return await RaceSecondAsync(first, request, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Hedging.EndOverdue();
        }
    }

    private async Task<OpenRange> RaceSecondAsync(RangeAttempt first, RangeRequest request, CancellationToken cancellationToken)
    {
        if (await EnterUnlessEndedAsync(first.Response, request.Cost, cancellationToken).ConfigureAwait(false) is not { } slot)
        {
            Hedging.GiveBackUnsent(request.Cost.Bytes);
            return await first.Response.ConfigureAwait(false);
        }

        reporter.AddHedge();
        RangeAttempt second = Begin(request, slot, cancellationToken);
        await Task.WhenAny(first.Response, second.Response).ConfigureAwait(false);
        RangeAttempt winner = first.Response.IsCompleted ? first : second;
        RangeAttempt other = winner == first ? second : first;
        if (!winner.Response.IsCompletedSuccessfully)
        {
            await ((Task)other.Response).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // the other one may still succeed
            (winner, other) = other.Response.IsCompletedSuccessfully ? (other, winner) : (winner, other);
        }

        if (winner == second)
        {
            Hedging.Abandoned(context.Time.GetElapsedTime(first.StartedAt));
        }

        Hedging.GiveBack(request.Cost.Bytes); // no body data was read twice
        Abandon(other);
        return await winner.Response.ConfigureAwait(false);
    }

    private async Task AbandonAsync(RangeAttempt loser)
    {
        EnterBackground();
        try
        {
            await loser.AbandonAsync().ConfigureAwait(false);
        }
        finally
        {
            LeaveBackground();
        }
    }

    private async Task<OpenRange> SendAsync(RangeRequest request, RequestSlot slot, StallGuard guard, long startedAt, CancellationToken cancellationToken)
    {
        RangeResponse? response = null;
        try
        {
            guard.Enter(reporter.Pause, canInterrupt: true);
            reporter.AddRequest();
            response = await context.Wire.GetRangeAsync(address, request.Of(Origin, ObjectLength), request.Condition, request.WantChecksum, guard.Token).ConfigureAwait(false);
            guard.Answered();
            slot.FirstByte();
            reporter.AddTime(TransferTimeKind.FirstByte, startedAt);
            context.Scheduler.Succeeded();
            Check(response);
            _readsRanges |= response.Length < response.Info.Length;
            Hedging.Responded(context.Time.GetElapsedTime(startedAt), response.Length);
            return new OpenRange(response, slot, guard, StallTimeout);
        }
        catch (Exception e)
        {
            bool stalled = e is OperationCanceledException && guard.HasStalled;
            if (stalled || e is WireException { Kind: FailureKind.Throttled })
            {
                slot.Reject();
                Hedging.Throttled();
            }

            if (response is null)
            {
                reporter.AddTime(TransferTimeKind.FirstByte, startedAt);
            }

            response?.Dispose();
            guard.Dispose();
            slot.Dispose();
            cancellationToken.ThrowIfCancellationRequested();
            if (guard.IsInterrupted)
            {
                throw StallGuard.Interrupted(e);
            }

            if (stalled)
            {
                throw OpenRange.Stalled(StallTimeout, e);
            }

            throw;
        }
    }

    private void Check(RangeResponse response)
    {
        ObjectInfo info = response.Info;
        long length = Interlocked.CompareExchange(ref _length, info.Length, -1);
        if (length >= 0 && length != info.Length)
        {
            throw new ObjectChangedException($"{address} has {info.Length} bytes now, but {length} were expected.") { Bucket = address.Bucket, Key = address.Key };
        }

        // Responses to ranges that started together arrive concurrently. The first one decides for all.
        ObjectState? known = Volatile.Read(ref _state);
        while (true)
        {
            if (known?.DifferenceFrom(info) is { } difference)
            {
                throw new ObjectChangedException($"{address} was replaced: {difference}.") { Bucket = address.Bucket, Key = address.Key };
            }

            ObjectState state = known is null ? ObjectState.Of(info) : known.With(info);
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

    private TimeSpan StallTimeout => context.Settings.StallTimeout;
}
