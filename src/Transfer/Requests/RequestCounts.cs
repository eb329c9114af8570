using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>Counts the requests of one transfer, also for the transfer that it is part of. The metrics count each only once.</summary>
internal sealed class RequestCounts(RequestCounts? whole, TransferMeter? meter, TransferDirection direction)
{
    private long _sent;
    private long _retries;
    private long _hedged;

    public long Sent => Volatile.Read(ref _sent);

    public long Retries => Volatile.Read(ref _retries);

    public long Hedged => Volatile.Read(ref _hedged);

    public void Add()
    {
        Interlocked.Increment(ref _sent);
        whole?.Add();
    }

    /// <summary>Counts a request that is sent again because the first one was slow.</summary>
    public void AddHedge()
    {
        Interlocked.Increment(ref _hedged);
        if (whole is not null)
        {
            whole.AddHedge();
        }
        else
        {
            meter?.AddHedge(direction);
        }
    }

    /// <summary>Counts a retry of a request.</summary>
    public void AddRetry(WireException failure)
    {
        Interlocked.Increment(ref _retries);
        if (whole is not null)
        {
            whole.AddRetry(failure);
        }
        else
        {
            meter?.AddRetry(failure);
        }
    }
}
