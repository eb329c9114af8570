using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>Cancels a request that transfers no data for too long, and detects one that transfers too little. Any activity restarts the time.</summary>
/// <remarks>
/// A body is timed only while a read waits for the network. The time that its data waits for a disk, for memory, or for a reader says nothing about the store.
/// The timer is reset only when it expires too early. It also ends a request that is overdue (<see cref="OverdueWatch"/>).
/// </remarks>
internal sealed class StallGuard : IPausableRequest, ISurplusRequest, IResponseWatch, IDisposable
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
    private long _begun;
    private bool _paused;
    private bool _isOverdue;
    private bool _isInterrupted;
    private bool _isSurplus;
    private bool _isLost;
    private bool _canInterrupt;
    private PauseGate? _gateOfPauses;
    private bool _isDisposed;
    private readonly OverdueWatch? _watch;
    private TimeSpan _waited;
    private TimeSpan _longestSilence;
    private long _watchedSince;
    private long _watchedBytes;
    private long _arrived;
    private long _received;
    private bool _isBodyWatched;

    public StallGuard(TimeSpan timeout, TimeProvider time, CancellationToken caller, OverdueWatch? watch = null)
    {
        _caller = caller;
        _timeout = timeout;
        _time = time;
        _watch = watch;
        watch?.Begin();
        _begun = _waitingSince = time.GetTimestamp();
        _registration = caller.UnsafeRegister(static state => ((StallGuard)state!)._stop.CancelAndIgnoreErrors(), this);
        lock (_gate)
        {
            // The timer can expire before the field is set.
            _timer = time.CreateTimer(static state => ((StallGuard)state!).Look(), this, NextLook(TimeSpan.Zero), Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Gets the token to send and to read the request with.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Gets a value that indicates whether the request was canceled because it stalled, and not by the caller.</summary>
    public bool HasStalled => _stop.IsCancellationRequested && !_caller.IsCancellationRequested && !Volatile.Read(ref _isOverdue) && !Volatile.Read(ref _isSurplus) && !Volatile.Read(ref _isLost) && !IsInterrupted;

    /// <summary>Gets a value that indicates whether the request was interrupted because its transfer was paused.</summary>
    public bool IsInterrupted => Volatile.Read(ref _isInterrupted);

    /// <summary>Gets the error of a request that was ended because of its time or of a pause; null if there was no such reason.</summary>
    /// <param name="e">The exception with which it ended.</param>
    public WireException? GetFailure(Exception e)
        => !_stop.IsCancellationRequested || _caller.IsCancellationRequested ? null
            : IsInterrupted ? Interrupted(e)
            : Volatile.Read(ref _isSurplus) ? new WireException(FailureKind.Surplus, "too many requests shared a slow link", e)
            : Volatile.Read(ref _isLost) ? new WireException(CanRepeat ? FailureKind.LinkLost : FailureKind.Transient, "the link lost the connection", e)
            : Volatile.Read(ref _isOverdue) ? new WireException(FailureKind.Overdue, "the request took unusually long", e)
            : new WireException(FailureKind.Transient, $"no data was transferred for {_timeout.TotalSeconds:0.#} s", e);

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

    /// <summary>Gets a value that indicates whether the times of the body reflect the store, because no rate limit affects them.</summary>
    public bool IsTimed => Pace is not { IsLimited: true };

    /// <summary>Gets a message if the body was too slow; otherwise, null.</summary>
    public string? Slowness { get; private set; }

    /// <summary>Gets the longest time without activity of a request body, including the time since the last activity.</summary>
    public TimeSpan LongestSilence => Silence > _longestSilence ? Silence : _longestSilence;

    /// <summary>Gets the timestamp of the last activity, or of the start of the request if there was none.</summary>
    public long TouchedAt => Volatile.Read(ref _waitingSince) is var at and not Nothing ? at : _time.GetTimestamp();

    /// <summary>Gets when the request was sent.</summary>
    public long BeganAt => Volatile.Read(ref _begun);

    /// <summary>Gets a value that indicates whether the request has the same effect if it is carried out twice. Of another one, it must be found out what it did.</summary>
    public bool CanRepeat { get; init; }

    /// <summary>
    /// Gets the timestamp of the last sign of the store: bytes that it sent or received; 0 if there was none, and null while nothing waits for it.
    /// </summary>
    public long? LastSign => Volatile.Read(ref _waitingSince) is var at && at == Nothing ? null : at == _begun ? 0 : at;

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
        _canInterrupt = canInterrupt;
        _gateOfPauses = gate;
        if (gate?.TryAdd(this) == false)
        {
            throw Interrupted(null);
        }
    }

    /// <summary>Reports that the request is sent now. That is no sign of the store.</summary>
    public void Begin()
    {
        Volatile.Write(ref _begun, _time.GetTimestamp());
        Volatile.Write(ref _waitingSince, _begun);
    }

    /// <summary>Reports activity, or the beginning of a wait for it.</summary>
    public void Touch() => Volatile.Write(ref _waitingSince, _time.GetTimestamp());

    /// <summary>Reports bytes of a response that is read while the request is being sent. If they arrive too slowly, they don't count as activity.</summary>
    public void BytesArrived(int count)
    {
        long now = _time.GetTimestamp();
        _watchedSince = _watchedSince == 0 ? _waitingSince : _watchedSince;
        _watchedBytes += count;
        TimeSpan all = _time.GetElapsedTime(_watchedSince, now);
        if (all >= 2 * _timeout) // as of a body
        {
            if (_watchedBytes < TransferDefaults.MinBytesPerSecond * all.TotalSeconds)
            {
                return;
            }

            (_watchedBytes, _watchedSince) = (0, now);
        }

        Volatile.Write(ref _waitingSince, now);
    }

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
        Volatile.Write(ref _received, _received + count);
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

    /// <summary>Reports that the response has begun. The time stops until the next <see cref="Touch"/>.</summary>
    public void Answered()
    {
        Rest();
        if (_watch is not null)
        {
            lock (_gate)
            {
                _watch.End();
                SetTimer(TimeSpan.Zero);
            }
        }
    }

    /// <summary>Begins to watch the time of a body. Later calls have no effect.</summary>
    /// <param name="length">The number of its bytes.</param>
    public void WatchBody(long length)
    {
        if (_isBodyWatched || _watch is null)
        {
            return;
        }

        _isBodyWatched = true;
        lock (_gate)
        {
            _watch.BeginBody(length, IsTimed);
            if (!_paused && !_isDisposed)
            {
                SetTimer(Silence);
            }
        }
    }

    /// <summary>Interrupts the request because its transfer was paused, if it can be interrupted.</summary>
    public bool TryInterrupt()
    {
        if (!_canInterrupt)
        {
            return false;
        }

        Volatile.Write(ref _isInterrupted, true);
        _stop.CancelAndIgnoreErrors();
        return true;
    }

    /// <summary>Gives up the request because its connection is lost.</summary>
    public void GiveUpConnection()
    {
        if (!_stop.IsCancellationRequested)
        {
            Volatile.Write(ref _isLost, true);
            _stop.CancelAndIgnoreErrors();
        }
    }

    public void GiveUp()
    {
        if (!_stop.IsCancellationRequested)
        {
            Volatile.Write(ref _isSurplus, true);
            _stop.CancelAndIgnoreErrors();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _watch?.End();
        }

        _gateOfPauses?.Remove(this);
        _timer.Dispose();
        _registration.Dispose();
        _stop.Dispose();
    }

    private static WireException Interrupted(Exception? e) => new(FailureKind.Interrupted, "the transfer was paused", e);

    private void Look()
    {
        lock (_gate)
        {
            if (_paused || _isDisposed)
            {
                return;
            }

            // After the machine has slept, both times may have expired, which is a stall.
            TimeSpan silence = Silence;
            bool hasStalled = silence >= _timeout;
            _isOverdue = !hasStalled && _watch?.IsOverdue(silence, Waited, Volatile.Read(ref _received)) == true;
            if (!hasStalled && !_isOverdue)
            {
                SetTimer(silence);
                return;
            }
        }

        _stop.CancelAndIgnoreErrors();
    }

    private void SetTimer(TimeSpan silence) => _timer.Change(NextLook(silence), Timeout.InfiniteTimeSpan);

    /// <summary>Gets the time until a silence is too long, or a body is overdue.</summary>
    private TimeSpan NextLook(TimeSpan silence)
    {
        TimeSpan left = (_watch?.Silence < _timeout ? _watch.Silence : _timeout) - silence;
        if (_watch?.Wait < TimeSpan.MaxValue && _watch.Wait - Waited - silence is var wait && wait < left)
        {
            left = wait > LeastSleep ? wait : LeastSleep;
        }

        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }
}
