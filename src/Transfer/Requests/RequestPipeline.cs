using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The way of all requests of a client to the store. A rule for every request is one of these layers, from the outside to the inside.</summary>
/// <remarks>
/// <list type="number">
/// <item><description>Retry (<see cref="BackOffAsync"/>, <see cref="RetryPolicy"/>): whether and when a failed request is sent again.</description></item>
/// <item><description>Pause (<see cref="WhenRunningAsync"/>, <see cref="PauseGate"/>): an attempt of a paused transfer waits, without a slot, and without memory where
/// that is possible.</description></item>
/// <item><description>Slot (<see cref="RequestQueue"/>): which attempt is next, and how many are in flight. A slot is held while a request or its body is in flight, but
/// never while a transfer waits for its reader or for a retry.</description></item>
/// <item><description>Deadline (<see cref="StallGuard"/>, <see cref="OverdueWatch"/>, <see cref="LinkWatch"/>): an attempt that stalls, that another connection would
/// overtake, or whose link was down and works again, is given up.</description></item>
/// <item><description>Pace (<see cref="RequestPace"/>): data waits for rate limits.</description></item>
/// <item><description>Send (<see cref="RequestAttempt.SendAsync"/>): times and outcomes are counted. Beyond it, <see cref="ObservedWire"/> measures each request.</description></item>
/// <item><description>Limit (<see cref="UsageLimit"/>, <see cref="UsageCounter"/>): a request that would exceed a limit isn't sent. <see cref="ObservedWire"/> asks, because only
/// there the operation and the content of each request are known, and an attempt can consist of two requests.</description></item>
/// </list>
/// </remarks>
internal sealed class RequestPipeline(
    RequestQueue queue, HedgePolicy hedging, RetryPolicy retry, StoreSigns signs, LinkWatch link, UsageCounter usage, FirstResponseTime firstResponse, TimeSpan stallTimeout, TimeProvider time, ILogger logger)
{
    private int _paused;
    private volatile bool _hasResponded;

    /// <summary>Gets a value that indicates whether no request is in flight, and none waits for its next attempt or for a rate limit.</summary>
    public bool IsIdle => queue.InFlight == 0 && signs.BackingOff == 0 && Volatile.Read(ref _paused) == 0;

    /// <summary>Gets the queue in which requests wait for slots.</summary>
    public RequestQueue Queue => queue;

    /// <summary>Gets the policy that decides when a slow request is sent again.</summary>
    public HedgePolicy Hedging => hedging;

    /// <summary>Gets the time after which an attempt without activity fails.</summary>
    public TimeSpan StallTimeout => stallTimeout;

    public TimeProvider Time => time;

    /// <summary>Gets what counts the requests and their content.</summary>
    public UsageCounter Usage => usage;

    /// <summary>Sends a request, and retries it as the policy allows. The final error contains the number of attempts.</summary>
    /// <param name="send">Sends the request once.</param>
    /// <param name="rules">What the layers need to know about the request.</param>
    /// <param name="reporter">Counts the requests and their times.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<T> SendAsync<T>(Func<RequestAttempt, Task<T>> send, RequestRules rules, TransferReporter reporter, CancellationToken cancellationToken)
    {
        Attempts? attempts = null;
        while (true)
        {
            try
            {
                using RequestAttempt attempt = await BeginAsync(rules, reporter, attempts, memory: null, cancellationToken).ConfigureAwait(false);
                T result = await attempt.SendAsync(static (send, attempt) => send(attempt), send).ConfigureAwait(false);
                attempt.Complete(rules.Cost.Bytes);
                return result;
            }
            catch (WireException failure)
            {
                await BackOffAsync(failure, attempts ??= new Attempts(), reporter, cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                cancellationToken.ThrowIfCancellationRequested(); // the exception must contain the caller's token, not that of the attempt
                throw;
            }
        }
    }

    /// <summary>Begins one attempt of a request as soon as its transfer isn't paused and a slot is free.</summary>
    /// <param name="rules">What the layers need to know about the request.</param>
    /// <param name="reporter">Counts the waits.</param>
    /// <param name="former">The attempts that failed; null if there are none. A retry goes before the other waiting requests of its transfer and class.</param>
    /// <param name="memory">The memory for the body, which is returned while the transfer is paused; null if it can't be returned.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<RequestAttempt> BeginAsync(RequestRules rules, TransferReporter reporter, Attempts? former, ChunkLease? memory, CancellationToken cancellationToken)
    {
        if (!rules.Cost.IsCleanup) // incomplete uploads cost money, so cleanup doesn't wait
        {
            await WhenRunningAsync(reporter.Pause, reporter, memory, cancellationToken).ConfigureAwait(false);
        }

        RequestSlot slot = await EnterAsync(reporter, former?.Hedges > 0 ? rules.Cost.ToHead() : rules.Cost, former is not null, cancellationToken).ConfigureAwait(false);
        return new RequestAttempt(this, slot, rules, reporter, former, cancellationToken);
    }

    /// <summary>Pause: waits until the transfer isn't paused. Whoever waits has no slot, and returns its memory if that is possible.</summary>
    /// <param name="gate">The pauses; null if there are none.</param>
    /// <param name="reporter">Counts the wait for memory.</param>
    /// <param name="memory">The memory that can be returned if it isn't in use.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private ValueTask WhenRunningAsync(PauseGate? gate, TransferReporter reporter, ChunkLease? memory, CancellationToken cancellationToken)
        => gate is { IsPaused: true } ? WaitForEndOfPauseAsync(gate, reporter, memory, cancellationToken) : ValueTask.CompletedTask;

    /// <summary>Slot: waits for a slot, and counts the wait.</summary>
    /// <param name="reporter">Counts the wait.</param>
    /// <param name="cost">The class and the cost of the request.</param>
    /// <param name="isRetry">Whether the request goes before the other waiting requests of its transfer and class.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private ValueTask<RequestSlot> EnterAsync(TransferReporter reporter, RequestCost cost, bool isRetry, CancellationToken cancellationToken)
    {
        long since = reporter.Times.Now;
        ValueTask<RequestSlot> slot = queue.EnterAsync(reporter.Flow, cost, isRetry, cancellationToken);
        return slot.IsCompleted ? slot : WaitAsync(slot, reporter, since);
    }

    /// <summary>Reports that a request waits for a rate limit, or for the end of a pause.</summary>
    public void BeginPause() => Interlocked.Increment(ref _paused);

    /// <summary>Reports that the wait has ended.</summary>
    public void EndPause() => Interlocked.Decrement(ref _paused);

    /// <summary>Gets what requests wait for; null if none waits for the store, or if data of it is being processed.</summary>
    public StoreWait? GetWait() => signs.FindSilence() is not var (silence, failure) ? null : new StoreWait
    {
        Silence = silence,
        Attempt = (failure?.Attempts ?? 0) + 1,
        MaxAttempts = retry.MaxAttemptsAfter(failure),
        Reason = failure?.Message,
    };

    /// <summary>Reports that an attempt waits for the store, until <see cref="Ended"/>.</summary>
    public void Began(StallGuard guard, bool isRetry)
    {
        signs.Began(guard, isRetry);
        link.Began();
    }

    /// <summary>Reports that an attempt has ended, or that nothing waits for it anymore.</summary>
    public void Ended(StallGuard guard) => signs.Ended(guard);

    /// <summary>Reports that a request succeeded.</summary>
    /// <param name="sentAt">When its attempt began.</param>
    public void Succeeded(long sentAt)
    {
        retry.Succeeded();
        signs.Responded();
        if (!_hasResponded)
        {
            _hasResponded = true;
            queue.Responded(firstResponse.Value ?? time.GetElapsedTime(sentAt));
        }
    }

    /// <summary>Retry: waits before the next attempt, or throws the error if there is none.</summary>
    public async Task BackOffAsync(WireException failure, Attempts attempts, TransferReporter reporter, CancellationToken cancellationToken)
    {
        if (failure.Kind == FailureKind.Interrupted)
        {
            attempts.Progressed(); // during a pause, the store may have recovered
            return; // the next attempt waits until the pause is over
        }

        if (failure.Kind == FailureKind.LinkLost)
        {
            attempts.Progressed(); // the link was the cause, and works again
            reporter.Requests.AddRetry(failure);
            return; // over another connection, at once
        }

        if (failure.Kind == FailureKind.Surplus)
        {
            return; // the next attempt waits until the link has room for it
        }

        if (failure.Kind == FailureKind.Overdue)
        {
            attempts.Hedges++;
            reporter.Requests.AddHedge();
            return; // over another connection, at once
        }

        attempts.Hedges = 0;
        TimeSpan? next = retry.DelayAfter(failure, attempts);
        if (next is not { } delay)
        {
            throw failure;
        }

        Log.Retrying(logger, failure.Message, attempts.Total, (long)delay.TotalMilliseconds);
        reporter.Requests.AddRetry(failure);
        long since = reporter.Times.Now;
        signs.BeginBackOff(failure);
        try
        {
            await Task.Delay(delay, time, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            signs.EndBackOff();
            reporter.Times.Add(failure.IsThrottling ? TransferTimeKind.ThrottlingBackoff : TransferTimeKind.Backoff, since);
        }
    }

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
                long since = reporter.Times.Now;
                await memory!.TakeCreditAgainAsync(cancellationToken).ConfigureAwait(false);
                reporter.Times.Add(TransferTimeKind.Memory, since);
            }
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<RequestSlot> WaitAsync(ValueTask<RequestSlot> slot, TransferReporter reporter, long since)
    {
        RequestSlot granted = await slot.ConfigureAwait(false);
        reporter.Times.Add(queue.IsFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot, since);
        return granted;
    }
}
