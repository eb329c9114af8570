using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>
/// Whether and when a failed request is sent again: full-jitter backoff ("Exponential Backoff And Jitter", AWS Architecture Blog,
/// 2015). All retries of throttled requests share a token bucket that successes refill. While it has tokens, the base is short: the controller of the concurrency has lowered the
/// limit already, and the retry waits for a slot. When it is empty, the base is longer, so the load on a store that keeps throttling falls. A time that the store named is waited for first, up to
/// <see cref="RetryAfter.Longest"/>; the backoff comes on top of it, so that those who were told the same time do not come back together.
/// </summary>
/// <remarks>
/// A store that throttles is alive, and how often it refuses a request depends on all others. Such answers are limited by time instead of number: a request is
/// given up when for <see cref="TransferDefaults.ThrottleTimeouts"/> times the stall timeout it and all others of the client were only throttled, or for
/// <see cref="TransferDefaults.RequestThrottleTimeouts"/> times it was, while others went through.
/// </remarks>
internal sealed class RetryPolicy(int maxAttempts, TimeSpan stallTimeout, Random random, TimeProvider time)
{
    private static readonly TimeSpan Base = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan ThrottledBase = TimeSpan.FromSeconds(1);

    /// <summary>The retries of throttled requests with the short base, and how many of them a success gives back.</summary>
    private const double MostTokens = 100;
    private const double TokensPerSuccess = 0.1;

    /// <summary>The shortest delay that is one: <see cref="Task.Delay(TimeSpan, TimeProvider)"/> drops fractions of a millisecond.</summary>
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);
    private readonly Lock _gate = new();
    private long _lastSuccess = long.MinValue;
    private double _tokens = MostTokens;

    /// <summary>A request of the client has succeeded.</summary>
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

    /// <summary>How long to wait before the next attempt; null where there is to be none.</summary>
    public TimeSpan? DelayAfter(WireException failure, Attempts attempts)
    {
        attempts.Total++;
        bool again = failure.IsThrottling ? MayWait(attempts) : MayCount(failure, attempts);
        if (!again)
        {
            return null;
        }

        int inARow = failure.IsThrottling ? attempts.Throttled : attempts.Failed;
        lock (_gate)
        {
            TimeSpan most = (failure.Kind == FailureKind.Throttled && !TryTakeToken() ? ThrottledBase : Base) * Math.Pow(2, Math.Min(inARow - 1, 16));
            TimeSpan delay = random.NextDouble() * (most < Longest ? most : Longest);
            return (failure.RetryAfter ?? TimeSpan.Zero) + (delay > Shortest ? delay : Shortest);
        }
    }

    private bool TryTakeToken()
    {
        if (_tokens < 1)
        {
            return false;
        }

        _tokens--;
        return true;
    }

    private bool MayCount(WireException failure, Attempts attempts)
    {
        // A body that arrived damaged is worth one more try: memory and networks flip bits, stores seldom. So is a range that one machine of a store ignored.
        bool isSeldomRepeated = failure.Kind is FailureKind.Corrupt or FailureKind.RangeIgnored;
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
