namespace Transfer.Scheduling;

/// <summary>Cancels a request that brings nothing for too long. Every sign of life starts the time again.</summary>
internal sealed class StallGuard : IDisposable
{
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _stop;
    private readonly CancellationTokenRegistration _registration;
    private readonly TimeSpan _timeout;

    public StallGuard(TimeSpan timeout, TimeProvider time, CancellationToken caller)
    {
        _caller = caller;
        _timeout = timeout;
        _stop = new CancellationTokenSource(timeout, time);
        _registration = caller.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), _stop);
    }

    /// <summary>What the request is to be sent and read with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Whether it was silence that ended the request, and not the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested;

    public void Touch() => _stop.CancelAfter(_timeout);

    /// <summary>Lets the time stand still until the next <see cref="Touch"/>: it is not the store that is waited for.</summary>
    public void Pause() => _stop.CancelAfter(Timeout.InfiniteTimeSpan);

    public void Dispose()
    {
        _registration.Dispose();
        _stop.Dispose();
    }
}
