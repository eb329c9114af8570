using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Transfer.Buffers;
using Transfer.Concurrency;
using Transfer.Observability;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>
/// Sends the requests of all transfers of a client. Each request waits for a slot and is retried. A slot is held while a request or its body is in flight, but
/// never while a transfer waits for its reader or for a retry.
/// </summary>
internal sealed class RequestScheduler(RequestQueue queue, HedgePolicy hedging, RetryPolicy retry, TimeSpan stallTimeout, TimeProvider time, ILogger logger)
{
    private int _backingOff;
    private int _paused;

    /// <summary>Gets a value that indicates whether no request is in flight, and none waits for its next attempt or for a rate limit.</summary>
    public bool IsIdle => queue.InFlight == 0 && Volatile.Read(ref _backingOff) == 0 && Volatile.Read(ref _paused) == 0;

    /// <summary>Gets the queue in which requests wait for slots.</summary>
    public RequestQueue Queue => queue;

    /// <summary>
    /// Sends a request without a large body, and retries it as the policy allows. The final error contains the number of attempts.
    /// </summary>
    /// <param name="send">Sends the request once.</param>
    /// <param name="reporter">Counts the requests and their times.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="limit">The timeout of one attempt; null for the stall timeout.</param>
    /// <param name="cost">The class and cost of the request; null for a lookup.</param>
    public Task<T> SendAsync<T>(
        Func<CancellationToken, Task<T>> send, TransferReporter reporter, CancellationToken cancellationToken, TimeSpan? limit = null, RequestCost? cost = null)
        => SendGuardedAsync(guard => send(guard.Token), reporter, cancellationToken, limit, cost: cost);

    /// <summary>Sends a request whose stall guard is notified while its body is transferred.</summary>
    /// <param name="send">Sends the request once.</param>
    /// <param name="reporter">Counts the requests and their times.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="silence">The time after which an attempt without activity fails; null for the stall timeout.</param>
    /// <param name="underWay">The token that cancels an attempt in flight; null for <paramref name="cancellationToken"/>.</param>
    /// <param name="cost">The class and cost of the request; null for a lookup.</param>
    /// <param name="canRepeat">Whether the request can be sent a second time while it is in flight. When the task completes, neither request is in flight.</param>
    public async Task<T> SendGuardedAsync<T>(
        Func<StallGuard, Task<T>> send,
        TransferReporter reporter,
        CancellationToken cancellationToken,
        TimeSpan? silence = null,
        CancellationToken? underWay = null,
        RequestCost? cost = null,
        bool canRepeat = false)
    {
        TimeSpan limit = silence ?? stallTimeout;
        Attempts? attempts = null;
        while (true)
        {
            try
            {
                await WhenRunningAsync(PauseOf(reporter, cost), reporter, memory: null, cancellationToken).ConfigureAwait(false);
                using RequestSlot slot = await EnterAsync(reporter, cost ?? RequestCost.Lookup, attempts is not null, cancellationToken).ConfigureAwait(false);
                long since = reporter.Now;
                using StallGuard guard = NewGuard(limit, slot, reporter, underWay ?? cancellationToken);

                // A request that creates or completes an object has its own timeout or token. It isn't interrupted, because its outcome must be known.
                guard.Enter(PauseOf(reporter, cost), canInterrupt: silence is null && underWay is null);
                reporter.AddRequest();
                try
                {
                    if (canRepeat && hedging.IsEnabled && cost is { } part)
                    {
                        T sent = await SendTwiceAsync(send, slot, guard, limit, reporter, part, underWay ?? cancellationToken).ConfigureAwait(false);
                        Succeeded();
                        return sent;
                    }

                    T result = await send(guard).ConfigureAwait(false);
                    Succeeded();
                    if (cost is { HasData: true } data)
                    {
                        slot.Complete(data.Bytes);
                    }

                    return result;
                }
                catch (WireException e) when (e.Kind == FailureKind.Throttled)
                {
                    slot.Reject();
                    hedging.Throttled();
                    throw;
                }
                catch (OperationCanceledException e) when (guard.IsInterrupted && !cancellationToken.IsCancellationRequested)
                {
                    throw StallGuard.Interrupted(e);
                }
                catch (OperationCanceledException e) when (guard.HasStalled)
                {
                    slot.Reject();
                    hedging.Throttled();
                    throw new WireException(FailureKind.Transient, $"no data was transferred for {limit.TotalSeconds:0.#} s", e);
                }
                catch (OperationCanceledException)
                {
                    cancellationToken.ThrowIfCancellationRequested(); // the exception must contain the caller's token, not that of the guard
                    throw;
                }
                finally
                {
                    // Until the connection has accepted the last byte, the request sends data. Afterward, it waits for the store. But the system's buffers hold
                    // megabytes, so a large body is still being sent then.
                    TimeSpan all = time.GetElapsedTime(since + (guard.Pace?.Waited ?? 0));
                    TimeSpan sent = time.GetElapsedTime(since, guard.TouchedAt);
                    TimeSpan sending = cost?.Bytes > RequestCost.SmallBytes || sent > all ? all : sent;
                    reporter.AddTime(TransferTimeKind.Data, sending);
                    reporter.AddTime(TransferTimeKind.FirstByte, all - sending);
                }
            }
            catch (WireException failure)
            {
                await BackOffAsync(failure, attempts ??= new Attempts(), reporter, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Waits until the transfer isn't paused. Whoever waits has no slot, and returns its memory if that is possible.</summary>
    /// <param name="gate">The pauses; null if there are none.</param>
    /// <param name="reporter">Counts the wait for memory.</param>
    /// <param name="memory">The memory that can be returned if it isn't in use.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public ValueTask WhenRunningAsync(PauseGate? gate, TransferReporter reporter, ChunkLease? memory, CancellationToken cancellationToken)
        => gate is { IsPaused: true } ? WaitForEndOfPauseAsync(gate, reporter, memory, cancellationToken) : ValueTask.CompletedTask;

    /// <summary>Waits for a slot, and counts the wait.</summary>
    /// <param name="reporter">Counts the wait.</param>
    /// <param name="cost">The class and the cost of the request.</param>
    /// <param name="isRetry">Whether the request goes before the other waiting requests of its transfer and class.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public ValueTask<RequestSlot> EnterAsync(TransferReporter reporter, RequestCost cost, bool isRetry, CancellationToken cancellationToken)
    {
        long since = reporter.Now;
        ValueTask<RequestSlot> slot = queue.EnterAsync(reporter.Flow, cost, isRetry, cancellationToken);
        return slot.IsCompleted ? slot : WaitAsync(slot, reporter, since);
    }

    /// <summary>Waits for a slot for a second request, before all other requests of the transfer, unless the first request ends earlier.</summary>
    /// <param name="first">The task of the first request.</param>
    /// <param name="reporter">Counts the wait.</param>
    /// <param name="cost">The class and the cost of the request.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if the first request ended earlier, or if the wait was canceled.</returns>
    public async ValueTask<RequestSlot?> EnterUnlessEndedAsync(Task first, TransferReporter reporter, RequestCost cost, CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<RequestSlot> entering = EnterAsync(reporter, cost.ToHedge(), isRetry: true, stop.Token).AsTask();
        await Task.WhenAny(first, entering).ConfigureAwait(false);
        if (first.IsCompleted)
        {
            await stop.CancelAsync().ConfigureAwait(false);
        }

        await ((Task)entering).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        RequestSlot? slot = entering.IsCompletedSuccessfully ? entering.Result : null;
        if (first.IsCompleted)
        {
            slot?.Dispose();
            return null;
        }

        return slot;
    }

    /// <summary>Reports that a request waits for a rate limit, or for the end of a pause.</summary>
    public void BeginPause() => Interlocked.Increment(ref _paused);

    /// <summary>Reports that the wait has ended.</summary>
    public void EndPause() => Interlocked.Decrement(ref _paused);

    /// <summary>Reports that a request succeeded.</summary>
    public void Succeeded() => retry.Succeeded();

    /// <summary>Waits before the next attempt, or throws the error if there is none.</summary>
    public async Task BackOffAsync(WireException failure, Attempts attempts, TransferReporter reporter, CancellationToken cancellationToken)
    {
        if (failure.Kind == FailureKind.Interrupted)
        {
            attempts.Progressed(); // during a pause, the store may have recovered
            return; // the next attempt waits until the pause is over
        }

        TimeSpan? next = retry.DelayAfter(failure, attempts);
        failure.Attempts = attempts.Total;
        if (next is not { } delay)
        {
            throw failure;
        }

        Log.Retrying(logger, failure.Message, attempts.Total, (long)delay.TotalMilliseconds);
        reporter.AddRetry(failure);
        long since = reporter.Now;
        Interlocked.Increment(ref _backingOff);
        try
        {
            await Task.Delay(delay, time, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _backingOff);
            reporter.AddTime(failure.IsThrottling ? TransferTimeKind.ThrottlingBackoff : TransferTimeKind.Backoff, since);
        }
    }

    /// <summary>
    /// Sends a part, and sends it a second time if the first request stalls. It is a separate method, so that other requests don't allocate its closure.
    /// </summary>
    private Task<T> SendTwiceAsync<T>(
        Func<StallGuard, Task<T>> send, RequestSlot slot, StallGuard guard, TimeSpan limit, TransferReporter reporter, RequestCost cost, CancellationToken cancellationToken)
        => new HedgedUpload<T>(this, hedging, send, second => NewGuard(limit, second, reporter, cancellationToken), reporter, cost).SendAsync(slot, guard, cancellationToken);

    /// <summary>Gets the gate of the pauses that a request waits for. Cleanup must not wait, because incomplete uploads cost money.</summary>
    private static PauseGate? PauseOf(TransferReporter reporter, RequestCost? cost) => cost is { IsCleanup: true } ? null : reporter.Pause;

    private async ValueTask WaitForEndOfPauseAsync(PauseGate gate, TransferReporter reporter, ChunkLease? memory, CancellationToken cancellationToken)
    {
        while (gate.IsPaused)
        {
            bool isReturned = memory?.TryReturnCredit() ?? false;
            BeginPause();
            try
            {
                await gate.WhenRunningAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                EndPause();
            }

            if (isReturned)
            {
                long since = reporter.Now;
                await memory!.TakeCreditAgainAsync(cancellationToken).ConfigureAwait(false);
                reporter.AddTime(TransferTimeKind.Memory, since);
            }
        }
    }

    private StallGuard NewGuard(TimeSpan limit, RequestSlot slot, TransferReporter reporter, CancellationToken cancellationToken)
    {
        StallGuard guard = new(limit, time, cancellationToken);
        guard.Pace = RequestPace.Of(reporter, slot, guard, this);
        return guard;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<RequestSlot> WaitAsync(ValueTask<RequestSlot> slot, TransferReporter reporter, long since)
    {
        RequestSlot granted = await slot.ConfigureAwait(false);
        reporter.AddTime(queue.IsFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot, since);
        return granted;
    }
}
