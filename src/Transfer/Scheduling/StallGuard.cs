namespace Transfer.Scheduling;

/// <summary>Cancels a request that brings nothing for too long, and tells of one that brings too little. Every sign of life starts the time again.</summary>
/// <remarks>
/// A body is timed only while a read of it waits for the network: how long its bytes wait for a disk, for memory or for a reader says nothing of the store.
/// The timer is moved only when it runs out too early.
/// </remarks>
internal sealed class StallGuard : IDisposable
{
    private const long Nothing = long.MaxValue;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenRegistration _registration;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _waitingSince;
    private bool _paused;
    private TimeSpan _waited;
    private long _arrived;

    public StallGuard(TimeSpan timeout, TimeProvider time, CancellationToken caller)
    {
        _caller = caller;
        _timeout = timeout;
        _time = time;
        _waitingSince = time.GetTimestamp();
        _registration = caller.UnsafeRegister(static state => ((StallGuard)state!).Stop(), this);
        _timer = time.CreateTimer(static state => ((StallGuard)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(timeout, Timeout.InfiniteTimeSpan); // not before the field is set: it may run out at once
    }

    /// <summary>What the request is to be sent and read with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Whether it was silence that ended the request, and not the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested;

    /// <summary>What was too little of a body, as a message; null while enough arrives.</summary>
    public string? Slowness { get; private set; }

    /// <summary>A sign of life, or the begin of a wait for one.</summary>
    public void Touch() => Volatile.Write(ref _waitingSince, _time.GetTimestamp());

    /// <summary>A body's next bytes have arrived, and nobody waits for more until the next <see cref="Touch"/>. For the one who reads the body.</summary>
    public void Arrived(int count)
    {
        _waited += _time.GetElapsedTime(_waitingSince);
        ArrivedAtOnce(count);

        // A silence may be as long as the timeout, so that a window is to be longer.
        if (_waited >= 2 * _timeout)
        {
            Slowness = _arrived < TransferDefaults.MinBytesPerSecond * _waited.TotalSeconds ? $"only {_arrived} bytes arrived in {_waited.TotalSeconds:0} s" : null;
            (_arrived, _waited) = (0, TimeSpan.Zero);
        }
    }

    /// <summary>The same for bytes that were there already: no time has passed, and no clock is asked.</summary>
    public void ArrivedAtOnce(int count)
    {
        _arrived += count;
        Rest();
    }

    /// <summary>Lets the time stand still: nobody waits for the store.</summary>
    public void Rest() => Volatile.Write(ref _waitingSince, Nothing);

    /// <summary>Like <see cref="Rest"/>, for long: without a timer.</summary>
    public void Pause()
    {
        Rest();
        Volatile.Write(ref _paused, true);
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ends a pause.</summary>
    public void Resume()
    {
        Volatile.Write(ref _paused, false);
        _timer.Change(_timeout, Timeout.InfiniteTimeSpan);
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

        long since = Volatile.Read(ref _waitingSince);
        TimeSpan left = since == Nothing ? _timeout : _timeout - _time.GetElapsedTime(since);
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
