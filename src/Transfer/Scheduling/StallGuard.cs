using Transfer.Concurrency;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>Cancels a request that brings nothing for too long, and tells of one that brings too little. Every sign of life starts the time again.</summary>
/// <remarks>
/// A body is timed only while a read of it waits for the network: how long its bytes wait for a disk, for memory or for a reader says nothing of the store.
/// The timer is moved only when it runs out too early. It also tells of a shorter silence, and of a body that takes too long, after which a request may be sent a second
/// time (<see cref="WatchAsync"/>).
/// </remarks>
internal sealed class StallGuard : IPausableRequest, IDisposable
{
    private const long Nothing = long.MaxValue;

    /// <summary>How long the timer sleeps at least while a body is watched, because its time may pass more slowly.</summary>
    private static readonly TimeSpan LeastSleep = TimeSpan.FromMilliseconds(10);

    private readonly Lock _gate = new();
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenRegistration _registration;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private long _waitingSince;
    private bool _paused;
    private bool _isAbandoned;
    private bool _isInterrupted;
    private bool _canInterrupt;
    private PauseGate? _gateOfPauses;
    private bool _isAnswered;
    private bool _isDisposed;
    private TaskCompletionSource<bool>? _watch;
    private TimeSpan _watchedSilence;
    private TimeSpan _watchedWait;
    private TimeSpan _waited;
    private TimeSpan _longestSilence;
    private long _arrived;

    public StallGuard(TimeSpan timeout, TimeProvider time, CancellationToken caller)
    {
        _caller = caller;
        _timeout = timeout;
        _time = time;
        _waitingSince = time.GetTimestamp();
        _registration = caller.UnsafeRegister(static state => ((StallGuard)state!).Stop(), this);
        lock (_gate)
        {
            _timer = time.CreateTimer(static state => ((StallGuard)state!).Look(), this, timeout, Timeout.InfiniteTimeSpan); // it may run out before the field is set
        }
    }

    /// <summary>What the request is to be sent and read with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Whether it was silence that ended the request, and not the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested && !Volatile.Read(ref _isAbandoned) && !IsInterrupted;

    /// <summary>Gets a value that indicates whether the request was interrupted because its transfer was paused.</summary>
    public bool IsInterrupted => Volatile.Read(ref _isInterrupted);

    /// <summary>Gets a value that indicates whether nobody waits for the store, for long.</summary>
    public bool IsAtRest
    {
        get
        {
            lock (_gate)
            {
                return _paused;
            }
        }
    }

    /// <summary>Gets or sets what makes the data of the request wait for rate limits; null if there are none.</summary>
    public RequestPace? Pace { get; set; }

    /// <summary>What was too little of a body, as a message; null while enough arrives.</summary>
    public string? Slowness { get; private set; }

    /// <summary>Gets the longest time between two signs of life of a request body, and from the last one until now.</summary>
    public TimeSpan LongestSilence => Silence > _longestSilence ? Silence : _longestSilence;

    /// <summary>Gets the timestamp of the last sign of life; that of the beginning if there was none.</summary>
    public long TouchedAt => Volatile.Read(ref _waitingSince) is var at and not Nothing ? at : _time.GetTimestamp();

    /// <summary>Gets the whole time in which bytes of the body were waited for, up to the last ones that arrived.</summary>
    public TimeSpan Waited { get; private set; }

    /// <summary>Gets how long the next bytes of the body have been waited for.</summary>
    public TimeSpan Silence => Volatile.Read(ref _waitingSince) is var since && since == Nothing ? TimeSpan.Zero : _time.GetElapsedTime(since);

    /// <summary>Makes the request known to the pauses of its transfer, before it is sent.</summary>
    /// <param name="gate">The pauses; null if there are none.</param>
    /// <param name="canInterrupt">Whether the request can be interrupted, and sent again.</param>
    /// <exception cref="WireException">The transfer is paused.</exception>
    public void Enter(PauseGate? gate, bool canInterrupt)
    {
        if (!TryEnter(gate, canInterrupt))
        {
            throw Interrupted();
        }
    }

    /// <inheritdoc cref="Enter"/>
    /// <returns>False if the transfer is paused.</returns>
    public bool TryEnter(PauseGate? gate, bool canInterrupt = true)
    {
        _canInterrupt = canInterrupt;
        _gateOfPauses = gate;
        return gate?.TryAdd(this) ?? true;
    }

    /// <summary>Creates the failure of a request that was interrupted, or not sent, because its transfer is paused.</summary>
    public static WireException Interrupted(Exception? e = null) => new(FailureKind.Interrupted, "the transfer was paused", e);

    /// <summary>A sign of life, or the begin of a wait for one.</summary>
    public void Touch() => Volatile.Write(ref _waitingSince, _time.GetTimestamp());

    /// <summary>A sign of life of a request body.</summary>
    public void TouchBody()
    {
        long now = _time.GetTimestamp();
        TimeSpan silence = _time.GetElapsedTime(_waitingSince, now);
        _longestSilence = silence > _longestSilence ? silence : _longestSilence;
        Volatile.Write(ref _waitingSince, now);
    }

    /// <summary>A body's next bytes have arrived, and nobody waits for more until the next <see cref="Touch"/>. For the one who reads the body.</summary>
    public void Arrived(int count)
    {
        TimeSpan waited = _time.GetElapsedTime(_waitingSince);
        ArrivedAtOnce(count);
        _waited += waited;
        Waited += waited;

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

    /// <summary>The wait for the body's next bytes ended without any.</summary>
    public void Failed() => Waited += _time.GetElapsedTime(_waitingSince);

    /// <summary>Lets the time stand still: nobody waits for the store.</summary>
    public void Rest() => Volatile.Write(ref _waitingSince, Nothing);

    /// <summary>Like <see cref="Rest"/>, for long: without a timer.</summary>
    public void Pause()
    {
        Rest();
        lock (_gate)
        {
            _paused = true;
            _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        if (IsInterrupted)
        {
            _gateOfPauses?.Remove(this); // the pause must not wait for the one who keeps the memory
        }
    }

    /// <summary>Ends a pause.</summary>
    public void Resume()
    {
        lock (_gate)
        {
            _paused = false;
            SetTimer(TimeSpan.Zero);
        }
    }

    /// <summary>Waits until there was no sign of life for a time, or until bytes of the body were waited for long enough. There is one watch at a time.</summary>
    /// <param name="silence">The time without a sign of life: shorter than the timeout.</param>
    /// <param name="wait">The sum of <see cref="Waited"/> and <see cref="Silence"/>.</param>
    /// <returns><see langword="true"/> after one of these times; <see langword="false"/> if the request has stalled, or if the guard was disposed.</returns>
    public Task<bool> WatchAsync(TimeSpan silence, TimeSpan wait)
    {
        lock (_gate)
        {
            return BeginWatchAsync(silence, wait);
        }
    }

    /// <summary>Waits until there was no response for a time. Its end needs no other thread.</summary>
    /// <returns><see langword="true"/> if there is no response; <see langword="false"/> if there is one, or if the request has failed.</returns>
    public Task<bool> WatchResponseAsync(TimeSpan delay)
    {
        lock (_gate)
        {
            return _isAnswered ? Task.FromResult(false) : BeginWatchAsync(delay, TimeSpan.MaxValue);
        }
    }

    /// <summary>The response has begun, and nobody waits for the store until the next <see cref="Touch"/>.</summary>
    public void Answered()
    {
        Rest();
        TaskCompletionSource<bool>? watch;
        lock (_gate)
        {
            _isAnswered = true;
            watch = _watch;
            _watch = null;
            if (watch is not null)
            {
                SetTimer(TimeSpan.Zero);
            }
        }

        watch?.TrySetResult(false);
    }

    /// <summary>Interrupts the request because its transfer was paused, if it can be.</summary>
    public bool TryInterrupt()
    {
        if (!_canInterrupt)
        {
            return false;
        }

        Volatile.Write(ref _isInterrupted, true);
        Stop();
        return true;
    }

    /// <summary>Ends the request because another one took its place. That is no stall.</summary>
    public void Abandon()
    {
        Volatile.Write(ref _isAbandoned, true);
        Stop();
    }

    public void Dispose()
    {
        TaskCompletionSource<bool>? watch;
        lock (_gate)
        {
            _isDisposed = true;
            watch = _watch;
            _watch = null;
        }

        watch?.TrySetResult(false);
        _gateOfPauses?.Remove(this);
        _timer.Dispose();
        _registration.Dispose();
        _stop.Dispose();
    }

    private void Look()
    {
        TaskCompletionSource<bool>? watch = null;
        bool hasStalled = false;
        lock (_gate)
        {
            if (_paused || _isDisposed)
            {
                return;
            }

            TimeSpan silence = Silence;
            hasStalled = silence >= _timeout;
            if (_watch is not null && (silence >= _watchedSilence || Waited + silence >= _watchedWait))
            {
                watch = _watch;
                _watch = null;
            }

            if (!hasStalled)
            {
                SetTimer(silence);
            }
        }

        watch?.TrySetResult(!hasStalled); // after a sleep of the machine, both times may have run out: the request has failed then
        if (hasStalled)
        {
            Stop();
        }
    }

    private Task<bool> BeginWatchAsync(TimeSpan silence, TimeSpan wait)
    {
        if (_isDisposed)
        {
            return Task.FromResult(false);
        }

        (_watch, _watchedSilence, _watchedWait) = (new TaskCompletionSource<bool>(), silence, wait); // not completed under the lock
        if (!_paused)
        {
            SetTimer(Silence);
        }

        return _watch.Task;
    }

    private void SetTimer(TimeSpan silence)
    {
        TimeSpan left = (_watch is not null && _watchedSilence < _timeout ? _watchedSilence : _timeout) - silence;
        if (_watch is not null && _watchedWait - Waited - silence is var wait && wait < left)
        {
            left = wait > LeastSleep ? wait : LeastSleep;
        }

        _timer.Change(left > TimeSpan.Zero ? left : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
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
