using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>
/// Whether and when a failed request is sent again: full-jitter backoff ("Exponential Backoff And Jitter", AWS Architecture Blog,
/// 2015), with a longer base where the store asked for fewer requests. A time that the store named is waited for first, up to
/// <see cref="RetryAfter.Longest"/>; the backoff comes on top of it, so that those who were told the same time do not come back together.
/// </summary>
internal sealed class RetryPolicy(int maxAttempts, Random random)
{
    private static readonly TimeSpan Base = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan ThrottledBase = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);
    private readonly Lock _gate = new();

    /// <summary>How long to wait before attempt <paramref name="attempt"/> + 1; null where there is to be none.</summary>
    public TimeSpan? DelayAfter(WireException failure, int attempt)
    {
        // A body that arrived damaged is worth one more try: memory and networks flip bits, stores seldom.
        bool again = failure.MayRetry || (failure.Kind == FailureKind.Corrupt && attempt == 1);
        if (!again || attempt >= maxAttempts)
        {
            return null;
        }

        TimeSpan most = (failure.Kind == FailureKind.Throttled ? ThrottledBase : Base) * Math.Pow(2, Math.Min(attempt - 1, 16));
        lock (_gate)
        {
            return (failure.RetryAfter ?? TimeSpan.Zero) + (random.NextDouble() * (most < Longest ? most : Longest));
        }
    }
}
