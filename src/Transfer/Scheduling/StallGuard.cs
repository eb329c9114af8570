namespace Transfer.Scheduling;

/// <summary>Cancels a request that brings nothing for too long. Every sign of life starts the time again.</summary>
/// <remarks>A sign of life costs a look at the clock; the timer is moved only when it runs out too early.</remarks>
internal sealed class StallGuard : IDisposable
{
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenRegistration _registration;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _lastSign;
    private bool _paused;

    public StallGuard(TimeSpan timeout, TimeProvider time, CancellationToken caller)
    {
        _caller = caller;
        _timeout = timeout;
        _time = time;
        _lastSign = time.GetTimestamp();
        _registration = caller.UnsafeRegister(static state => ((StallGuard)state!).Stop(), this);
        _timer = time.CreateTimer(static state => ((StallGuard)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(timeout, Timeout.InfiniteTimeSpan); // not before the field is set: it may run out at once
    }

    /// <summary>What the request is to be sent and read with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Whether it was silence that ended the request, and not the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested;

    public void Touch()
    {
        Volatile.Write(ref _lastSign, _time.GetTimestamp());
        if (Volatile.Read(ref _paused))
        {
            Volatile.Write(ref _paused, false);
            _timer.Change(_timeout, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Lets the time stand still until the next <see cref="Touch"/>: it is not the store that is waited for.</summary>
    public void Pause()
    {
        Volatile.Write(ref _paused, true);
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Dispose()
    {
        _timer.Dispose();
        _registration.Dispose();
        _stop.Dispose();
    }

    private void Look()
    {
        if (Volatile.Read(ref _paused))
        {
            return;
        }

        TimeSpan left = _timeout - _time.GetElapsedTime(Volatile.Read(ref _lastSign));
        if (left <= TimeSpan.Zero)
        {
            Stop();
        }
        else
        {
            _timer.Change(left, Timeout.InfiniteTimeSpan);
        }
    }

    private void Stop()
    {
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The request ended meanwhile.
        }
    }
}
