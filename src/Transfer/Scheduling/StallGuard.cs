using Transfer.Concurrency;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>Cancels a request that transfers no data for too long, and detects one that transfers too little. Any activity restarts the time.</summary>
/// <remarks>
/// A body is timed only while a read waits for the network. The time that its data waits for a disk, for memory, or for a reader says nothing about the store.
/// The timer is reset only when it expires too early. It also detects a shorter silence, and a body that takes too long, after which a request can be sent a
/// second time (<see cref="WatchAsync"/>).
/// </remarks>
internal sealed class StallGuard : IPausableRequest, IDisposable
{
    private const long Nothing = long.MaxValue;

    /// <summary>The shortest time of the timer while a body is watched, because the time of the body can pass more slowly.</summary>
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
            _timer = time.CreateTimer(static state => ((StallGuard)state!).Look(), this, timeout, Timeout.InfiniteTimeSpan); // the timer can expire before the field is set
        }
    }

    /// <summary>Gets the token to send and to read the request with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Gets a value that indicates whether the request was canceled because it stalled, and not by the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested && !Volatile.Read(ref _isAbandoned) && !IsInterrupted;

    /// <summary>Gets a value that indicates whether the request was interrupted because its transfer was paused.</summary>
    public bool IsInterrupted => Volatile.Read(ref _isInterrupted);

    /// <summary>Gets a value that indicates whether the guard is paused, because nothing waits for the store.</summary>
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

    /// <summary>Gets or sets the pace of the request by rate limits; null if there are none.</summary>
    public RequestPace? Pace { get; set; }

    /// <summary>Gets a message if the body was too slow; otherwise, null.</summary>
    public string? Slowness { get; private set; }

    /// <summary>Gets the longest time without activity of a request body, including the time since the last activity.</summary>
    public TimeSpan LongestSilence => Silence > _longestSilence ? Silence : _longestSilence;

    /// <summary>Gets the timestamp of the last activity, or of the start of the request if there was none.</summary>
    public long TouchedAt => Volatile.Read(ref _waitingSince) is var at and not Nothing ? at : _time.GetTimestamp();

    /// <summary>Gets the total time of the waits for bytes of the body, up to the last bytes that arrived.</summary>
    public TimeSpan Waited { get; private set; }

    /// <summary>Gets the time since the wait for the next bytes of the body began.</summary>
    public TimeSpan Silence => Volatile.Read(ref _waitingSince) is var since && since == Nothing ? TimeSpan.Zero : _time.GetElapsedTime(since);

    /// <summary>Registers the request with the pauses of its transfer, before it is sent.</summary>
    /// <param name="gate">The pauses; null if there are none.</param>
    /// <param name="canInterrupt">Whether the request can be interrupted, and sent again.</param>
    /// <exception cref="WireException">Thrown when the transfer is paused.</exception>
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

    /// <summary>Creates the error of a request that was interrupted, or not sent, because its transfer is paused.</summary>
    public static WireException Interrupted(Exception? e = null) => new(FailureKind.Interrupted, "the transfer was paused", e);

    /// <summary>Reports activity, or the beginning of a wait for it.</summary>
    public void Touch() => Volatile.Write(ref _waitingSince, _time.GetTimestamp());

    /// <summary>Reports activity of a request body.</summary>
    public void TouchBody()
    {
        long now = _time.GetTimestamp();
        TimeSpan silence = _time.GetElapsedTime(_waitingSince, now);
        _longestSilence = silence > _longestSilence ? silence : _longestSilence;
        Volatile.Write(ref _waitingSince, now);
    }

    /// <summary>Reports that bytes of the body have arrived. The time stops until the next <see cref="Touch"/>. Only the reader of the body calls this.</summary>
    public void Arrived(int count)
    {
        TimeSpan waited = _time.GetElapsedTime(_waitingSince);
        ArrivedAtOnce(count);
        _waited += waited;
        Waited += waited;

        // A silence can be as long as the timeout, so the window must be longer.
        if (_waited >= 2 * _timeout)
        {
            Slowness = _arrived < TransferDefaults.MinBytesPerSecond * _waited.TotalSeconds ? $"only {_arrived} bytes arrived in {_waited.TotalSeconds:0} s" : null;
            (_arrived, _waited) = (0, TimeSpan.Zero);
        }
    }

    /// <summary>Reports bytes that were already there. No time has passed, so the clock is not read.</summary>
    public void ArrivedAtOnce(int count)
    {
        _arrived += count;
        Rest();
    }

    /// <summary>Reports that the wait for the body's next bytes failed.</summary>
    public void Failed() => Waited += _time.GetElapsedTime(_waitingSince);

    /// <summary>Stops the time, because nothing waits for the store.</summary>
    public void Rest() => Volatile.Write(ref _waitingSince, Nothing);

    /// <summary>Stops the time like <see cref="Rest"/>, and the timer too, for a longer wait.</summary>
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
            _gateOfPauses?.Remove(this); // the pause must not wait for a reader that holds memory
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

    /// <summary>Waits until there was no activity for a time, or until the waits for the body took a total time. There is only one watch at a time.</summary>
    /// <param name="silence">The time without activity, shorter than the timeout.</param>
    /// <param name="wait">The sum of <see cref="Waited"/> and <see cref="Silence"/>.</param>
    /// <returns><see langword="true"/> after one of these times; <see langword="false"/> if the request has stalled, or if the guard was disposed.</returns>
    public Task<bool> WatchAsync(TimeSpan silence, TimeSpan wait)
    {
        lock (_gate)
        {
            return BeginWatchAsync(silence, wait);
        }
    }

    /// <summary>Waits until there was no response for a time. The task ends without another thread.</summary>
    /// <returns><see langword="true"/> if there is no response; <see langword="false"/> if there is one, or if the request has failed.</returns>
    public Task<bool> WatchResponseAsync(TimeSpan delay)
    {
        lock (_gate)
        {
            return _isAnswered ? Task.FromResult(false) : BeginWatchAsync(delay, TimeSpan.MaxValue);
        }
    }

    /// <summary>Reports that the response has begun. The time stops until the next <see cref="Touch"/>.</summary>
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

    /// <summary>Interrupts the request because its transfer was paused, if it can be interrupted.</summary>
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

    /// <summary>Cancels the request because another request has replaced it. This is not a stall.</summary>
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

        watch?.TrySetResult(!hasStalled); // after the machine has slept, both times may have expired, which is a failure
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

        (_watch, _watchedSilence, _watchedWait) = (new TaskCompletionSource<bool>(), silence, wait); // never completed under the lock
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
            // The request has ended in the meantime.
        }
    }
}
