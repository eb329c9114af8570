using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>
/// Decides whether and when a failed request is retried, with full-jitter backoff ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
/// All retries of throttled requests share a token bucket that successes refill. While it has tokens, the base is short, because the concurrency controller
/// has already lowered the limit, and the retry waits for a slot. When it is empty, the base is longer, which reduces the load on a store that keeps throttling.
/// The backoff is added to the time that the store requests, at most <see cref="RetryAfter.Longest"/>, so that requests with the same time don't retry together.
/// </summary>
/// <remarks>
/// A store that throttles is available, and how often it throttles a request depends on all other requests. So throttling is limited by time, not by number.
/// A request fails after <see cref="TransferDefaults.ThrottleTimeouts"/> stall timeouts in which all requests of the client were throttled, or after
/// <see cref="TransferDefaults.RequestThrottleTimeouts"/> stall timeouts in which it was throttled while others succeeded. A request without credentials fails
/// after one stall timeout.
/// A store that can't be reached restarts, or its network does. So a request fails only after both its attempts and the time for that are used up, and between two
/// attempts is at most <see cref="LongestUnreachable"/>, because a connection that is refused costs nobody anything.
/// </remarks>
internal sealed class RetryPolicy(int maxAttempts, TimeSpan retryFor, TimeSpan stallTimeout, Random random, TimeProvider time)
{
    private static readonly TimeSpan Base = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan ThrottledBase = TimeSpan.FromSeconds(1);

    /// <summary>The number of retries of throttled requests with the short base, and the fraction of one that a success adds.</summary>
    private const double MostTokens = 100;
    private const double TokensPerSuccess = 0.1;

    /// <summary>The shortest effective delay: <see cref="Task.Delay(TimeSpan, TimeProvider)"/> drops fractions of a millisecond.</summary>
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan LongestUnreachable = TimeSpan.FromSeconds(5);
    private readonly Lock _gate = new();
    private long _lastSuccess = long.MinValue;
    private double _tokens = MostTokens;

    /// <summary>Reports that a request of the client has succeeded.</summary>
    public void Succeeded()
    {
        Volatile.Write(ref _lastSuccess, time.GetTimestamp());
        if (Volatile.Read(ref _tokens) < MostTokens)
        {
            lock (_gate)
            {
                _tokens = Math.Min(MostTokens, _tokens + TokensPerSuccess);
            }
        }
    }

    /// <summary>Gets the largest number of attempts after such a failure; null if they are limited by time.</summary>
    public int? MaxAttemptsAfter(WireException? failure)
        => failure is { IsThrottling: true } or { Kind: FailureKind.NoCredentials } || (failure is { IsUnreachable: true } && retryFor > TimeSpan.Zero) ? null : maxAttempts;

    /// <summary>Gets the delay before the next attempt; null if there is none. The failure gets the number and the time of the attempts.</summary>
    public TimeSpan? DelayAfter(WireException failure, Attempts attempts)
    {
        if (attempts.Total++ == 0)
        {
            attempts.FailedSince = time.GetTimestamp();
        }

        failure.Attempts = attempts.Total;
        failure.RetriedFor = time.GetElapsedTime(attempts.FailedSince);
        if (failure.Kind == FailureKind.NoCredentials)
        {
            return DelayForCredentials(attempts);
        }

        if (failure.IsUnreachable)
        {
            return DelayForConnection(failure, attempts);
        }

        attempts.Unreachable = 0; // the store was reached

        bool again = failure.IsThrottling ? MayWait(attempts) : MayCount(failure, attempts);
        if (!again)
        {
            return null;
        }

        int inARow = failure.IsThrottling ? attempts.Throttled : attempts.Failed;
        return (failure.RetryAfter ?? TimeSpan.Zero) + Jitter(BaseAfter(failure), inARow);
    }

    /// <summary>
    /// Gets the delay before a provider of credentials is asked again. Nothing was sent, so the attempts are limited by time. The last one is made when it is over.
    /// </summary>
    private TimeSpan? DelayForCredentials(Attempts attempts)
    {
        if (attempts.WithoutCredentials++ == 0)
        {
            attempts.WithoutCredentialsSince = time.GetTimestamp();
        }

        TimeSpan left = stallTimeout - time.GetElapsedTime(attempts.WithoutCredentialsSince);
        if (maxAttempts == 1 || left < Shortest)
        {
            return null;
        }

        TimeSpan delay = Jitter(Base, attempts.WithoutCredentials);
        return delay < left ? delay : left;
    }

    /// <summary>Gets the delay before the next attempt to reach the store. The last one is made when the time is over.</summary>
    private TimeSpan? DelayForConnection(WireException failure, Attempts attempts)
    {
        if (attempts.Unreachable++ == 0)
        {
            attempts.UnreachableSince = time.GetTimestamp();
        }

        bool isCounted = attempts.Unreachable < maxAttempts;
        TimeSpan left = retryFor - time.GetElapsedTime(attempts.UnreachableSince);
        if (maxAttempts == 1 || (!isCounted && left < Shortest))
        {
            return null;
        }

        TimeSpan delay = Jitter(BaseAfter(failure), attempts.Unreachable, LongestUnreachable);
        return isCounted || delay < left ? delay : left;
    }

    private TimeSpan Jitter(TimeSpan first, int inARow) => Jitter(first, inARow, Longest);

    private TimeSpan Jitter(TimeSpan first, int inARow, TimeSpan longest)
    {
        TimeSpan most = first * Math.Pow(2, Math.Min(inARow - 1, 16));
        lock (_gate)
        {
            TimeSpan delay = random.NextDouble() * (most < longest ? most : longest);
            return delay > Shortest ? delay : Shortest;
        }
    }

    private TimeSpan BaseAfter(WireException failure) => failure.Kind == FailureKind.Throttled && !TryTakeToken() ? ThrottledBase : Base;

    private bool TryTakeToken()
    {
        lock (_gate)
        {
            if (_tokens < 1)
            {
                return false;
            }

            _tokens--;
            return true;
        }
    }

    private bool MayCount(WireException failure, Attempts attempts)
    {
        // A corrupt body is retried once, because memory and networks flip bits more often than stores do. So is a range that one machine of a store ignored,
        // and a request that a proxy has answered in place of the store.
        bool isSeldomRepeated = failure.Kind is FailureKind.Corrupt or FailureKind.RangeIgnored or FailureKind.NotStore;
        bool again = failure.MayRetry || (isSeldomRepeated && !attempts.WasRepeated);
        attempts.WasRepeated |= isSeldomRepeated;
        return ++attempts.Failed < maxAttempts && again;
    }

    private bool MayWait(Attempts attempts)
    {
        if (attempts.Throttled++ == 0)
        {
            attempts.ThrottledSince = time.GetTimestamp();
        }

        long since = Math.Max(attempts.ThrottledSince, Volatile.Read(ref _lastSuccess));
        return maxAttempts > 1
            && time.GetElapsedTime(since) < TransferDefaults.ThrottleTimeouts * stallTimeout
            && time.GetElapsedTime(attempts.ThrottledSince) < TransferDefaults.RequestThrottleTimeouts * stallTimeout;
    }
}
