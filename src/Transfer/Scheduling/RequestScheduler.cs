using Microsoft.Extensions.Logging;
using Transfer.Observability;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>
/// Which request runs next: all transfers of a client wait in one line for its slots. A slot is held while a request or its body
/// is under way, never while a transfer waits for its reader or for a retry.
/// </summary>
#pragma warning disable CA1001 // a semaphore without a wait handle holds nothing, and a request that still ends gives its slot back after the client is gone
internal sealed class RequestScheduler(int slots, RetryPolicy retry, TimeSpan stallTimeout, TimeProvider time, ILogger logger)
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _slots = new(slots);
    private int _backingOff;

    /// <summary>Whether no request is under way, and none waits for its next attempt.</summary>
    public bool IsIdle => _slots.CurrentCount == slots && Volatile.Read(ref _backingOff) == 0;

    /// <summary>Waits for a slot. Its owner gives it back by disposing it.</summary>
    public async ValueTask<Slot> EnterAsync(CancellationToken cancellationToken)
    {
        await _slots.WaitAsync(cancellationToken).ConfigureAwait(false);
        return new Slot(_slots);
    }

    /// <summary>
    /// Sends a request that has no body worth the name, again and again while the policy allows it. The failure that remains carries the number of attempts.
    /// </summary>
    /// <param name="send">Sends it once.</param>
    /// <param name="reporter">Counts it.</param>
    /// <param name="cancellationToken">The caller's.</param>
    /// <param name="limit">How long one attempt may take; null for what a transfer may stand still.</param>
    public Task<T> SendAsync<T>(Func<CancellationToken, Task<T>> send, TransferReporter reporter, CancellationToken cancellationToken, TimeSpan? limit = null)
        => SendGuardedAsync(guard => send(guard.Token), reporter, cancellationToken, limit);

    /// <summary>Sends a request that gives signs of life while its body moves.</summary>
    /// <param name="send">Sends it once.</param>
    /// <param name="reporter">Counts it.</param>
    /// <param name="cancellationToken">The caller's.</param>
    /// <param name="silence">How long one attempt may give no sign of life; null for what a transfer may stand still.</param>
    /// <param name="underWay">Ends an attempt that is under way, where that is not to be the caller's token.</param>
    public async Task<T> SendGuardedAsync<T>(
        Func<StallGuard, Task<T>> send, TransferReporter reporter, CancellationToken cancellationToken, TimeSpan? silence = null, CancellationToken? underWay = null)
    {
        TimeSpan limit = silence ?? stallTimeout;
        Attempts? attempts = null;
        while (true)
        {
            try
            {
                using Slot slot = await EnterAsync(cancellationToken).ConfigureAwait(false);
                reporter.AddRequest();
                using StallGuard guard = new(limit, time, underWay ?? cancellationToken);
                try
                {
                    T result = await send(guard).ConfigureAwait(false);
                    Succeeded();
                    return result;
                }
                catch (OperationCanceledException e) when (guard.HasStalled)
                {
                    throw new WireException(FailureKind.Transient, $"nothing moved for {limit.TotalSeconds:0.#} s", e);
                }
                catch (OperationCanceledException)
                {
                    cancellationToken.ThrowIfCancellationRequested(); // the caller knows that token, not the guard's
                    throw;
                }
            }
            catch (WireException failure)
            {
                await BackOffAsync(failure, attempts ??= new Attempts(), reporter, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>A request was answered, and not with an error.</summary>
    public void Succeeded() => retry.Succeeded();

    /// <summary>Waits before the next attempt, or throws the failure where there is to be none.</summary>
    public async Task BackOffAsync(WireException failure, Attempts attempts, TransferReporter reporter, CancellationToken cancellationToken)
    {
        TimeSpan? next = retry.DelayAfter(failure, attempts);
        failure.Attempts = attempts.Total;
        if (next is not { } delay)
        {
            throw failure;
        }

        Log.Retrying(logger, failure.Message, attempts.Total, (long)delay.TotalMilliseconds);
        reporter.AddRetry();
        Interlocked.Increment(ref _backingOff);
        try
        {
            await Task.Delay(delay, time, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _backingOff);
        }
    }

    /// <summary>The right to have one request under way.</summary>
    internal sealed class Slot(SemaphoreSlim slots) : IDisposable
    {
#pragma warning disable CA2213 // the scheduler's, not ours
        private SemaphoreSlim? _slots = slots;
#pragma warning restore CA2213

        public void Dispose() => Interlocked.Exchange(ref _slots, null)?.Release();
    }
}
