namespace Transfer.S3.Concurrency;

/// <summary>The rate limits that apply to the data of one transfer.</summary>
/// <remarks>
/// Bytes are taken from one limiter after the other, beginning with the narrowest. So bytes that wait for a transfer's own limit don't block others
/// in the queue of a shared limit.
/// </remarks>
internal sealed class RateLimits
{
    /// <summary>The minimum rate of one connection that justifies another one. Stores close connections that transfer nothing for a long time.</summary>
    public const long LeastBytesPerRequest = 64 * Sizes.KiB;

    private readonly RateLimiter[] _limiters;
    private readonly int _own;

    private RateLimits(RateLimiter[] limiters, int own)
    {
        _limiters = limiters;
        _own = own;
    }

    /// <summary>No limits.</summary>
    public static RateLimits None { get; } = new([], 0);

    /// <summary>Gets a value that indicates whether there are no limits, and none can be set.</summary>
    public bool IsEmpty => _limiters.Length == 0;

    /// <summary>Gets a value that indicates whether a limit is set now.</summary>
    public bool IsSet => Array.Exists(_limiters, static limiter => limiter.BytesPerSecond is not null);

    /// <summary>Gets a value that indicates whether a limit of the transfer itself is set now.</summary>
    public bool IsOwnSet => Array.FindIndex(_limiters, 0, _own, static limiter => limiter.BytesPerSecond is not null) >= 0;

    /// <summary>Gets the maximum number of useful concurrent requests.</summary>
    public int MostRequests => (int)Math.Clamp(BytesPerSecond / LeastBytesPerRequest, 1, int.MaxValue);

    /// <summary>Gets the maximum number of parts that can be sent concurrently and are confirmed in time.</summary>
    public int MostParts(long partBytes)
        => BytesPerSecond is var rate && rate == long.MaxValue ? int.MaxValue : (int)Math.Clamp(SendLimit.GoalSeconds * rate / Math.Max(1, partBytes), 1, int.MaxValue);

    /// <summary>Gets the limits that apply to all transfers of a client.</summary>
    public static RateLimits OfClient(RateLimit? limit, RequestDirection direction) => limit is null ? None : new RateLimits(limit.GetLimiters(direction), 0);

    /// <summary>Adds the limits of one transfer, or of a group of them.</summary>
    public RateLimits With(RateLimit? limit, RequestDirection direction)
    {
        if (limit?.GetLimiters(direction) is not { } added || Array.IndexOf(_limiters, added[0]) >= 0)
        {
            return this; // a limit that is set twice with the same instance counts once
        }

        return new RateLimits([.. added, .. _limiters], _own + added.Length);
    }

    /// <summary>Gets the lowest limit; the maximum value if none is set.</summary>
    private long BytesPerSecond
    {
        get
        {
            long rate = long.MaxValue;
            foreach (RateLimiter limiter in _limiters)
            {
                rate = Math.Min(rate, limiter.BytesPerSecond ?? long.MaxValue);
            }

            return rate;
        }
    }

    /// <summary>Gets the number of bytes to transfer at once, at most <paramref name="bytes"/>.</summary>
    public int GetPiece(int bytes)
    {
        foreach (RateLimiter limiter in _limiters)
        {
            bytes = (int)Math.Min(bytes, limiter.PieceBytes);
        }

        return bytes;
    }

    /// <summary>Takes bytes from the limiters until one has too few.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="next">The limiter to wait for.</param>
    /// <returns>Whether the bytes can be transferred now.</returns>
    public bool TryTake(int bytes, out int next)
    {
        for (next = 0; next < _limiters.Length; next++)
        {
            if (!_limiters[next].TryTake(bytes))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Returns whether a limiter belongs to the transfer, so that other transfers don't wait for it.</summary>
    public bool IsOwn(int index) => index < _own;

    /// <summary>Takes bytes from the remaining limiters. If the wait is canceled, the bytes are returned to all limiters.</summary>
    public async ValueTask WaitAsync(int bytes, int next, CancellationToken cancellationToken)
    {
        try
        {
            for (; next < _limiters.Length; next++)
            {
                await _limiters[next].TakeAsync(bytes, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            for (int i = 0; i < next; i++)
            {
                _limiters[i].Return(bytes);
            }

            throw;
        }
    }
}
