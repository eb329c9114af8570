namespace Transfer.S3.Concurrency;

/// <summary>The share of the last requests that the store rejected. Later requests count more.</summary>
internal sealed class RejectedShare
{
    /// <summary>The lowest number of rejections that says anything about their share. Fewer are chance.</summary>
    public const int Least = 4;

    /// <summary>The number of requests after which they count half. A share of 1 % is then known to about 0.7 %.</summary>
    private const double MostRequests = 400;

    private double _requests;
    private double _rejected;

    /// <summary>Gets the share, from 0 to 1.</summary>
    public double Share => _rejected > 0 ? _rejected / Math.Max(_requests, _rejected) : 0;

    /// <summary>Counts requests. Rejections arrive long before data has, so the share refers to the requests that were sent, and not to those that ended.</summary>
    /// <param name="started">The number of requests that started.</param>
    /// <param name="rejected">The number of requests that the store rejected.</param>
    public void Add(int started, int rejected)
    {
        if (_requests >= MostRequests)
        {
            (_requests, _rejected) = (_requests / 2, _rejected / 2);
        }

        _requests += started;
        _rejected += rejected;
    }

    /// <summary>Counts the requests of another share.</summary>
    public void Add(RejectedShare other)
    {
        _requests += other._requests;
        _rejected += other._rejected;
    }

    /// <summary>Returns whether the share is above another one, and not only by chance.</summary>
    public bool IsAbove(double share) => _rejected >= Least && Share > share;

    /// <summary>Forgets all requests, because they were sent under another limit.</summary>
    public void Clear() => (_requests, _rejected) = (0, 0);
}
