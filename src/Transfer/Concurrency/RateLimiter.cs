namespace Transfer.S3.Concurrency;

/// <summary>Limits a rate in bytes per second with a token bucket.</summary>
/// <remarks>
/// The bucket holds at most <see cref="Burst"/> of the rate. Waiters take turns: the first one takes the credit that arrives, and after <see cref="PieceBytes"/> it
/// goes to the end of the line for the rest. So a waiter can request more than the bucket holds, for example because the rate was lowered in the meantime, and others
/// don't wait for all of it. The lock guards all state. Waiters are completed outside of it.
/// </remarks>
internal sealed class RateLimiter
{
    /// <summary>How much of the rate can be saved while no bytes are taken.</summary>
    public static readonly TimeSpan Burst = TimeSpan.FromMilliseconds(100);

    /// <summary>The credit of one byte. At a rate of one byte per second, each tick adds a credit of one.</summary>
    private const long ByteCredit = TimeSpan.TicksPerSecond;

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private readonly LinkedList<Waiter> _waiters = [];
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly long _origin;
    private long _rate;
    private long _credit;
    private long _settledTicks;

    public RateLimiter(TimeProvider time)
    {
        _time = time;
        _origin = time.GetTimestamp();
        _timer = time.CreateTimer(static state => ((RateLimiter)state!).Serve(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets or sets the rate; null for no limit. A change applies to waiters at once.</summary>
    public long? BytesPerSecond
    {
        get => Volatile.Read(ref _rate) is > 0 and var rate ? rate : null;
        set
        {
            List<Waiter>? granted;
            lock (_gate)
            {
                long rate = value ?? 0;
                if (rate == _rate)
                {
                    return;
                }

                Settle();
                _credit = _rate == 0 ? MostCredit(rate) : _credit;
                Volatile.Write(ref _rate, rate);
                granted = Grant();
            }

            Complete(granted);
        }
    }

    /// <summary>Gets the number of bytes to take at once, so that data is transferred in small steps at a low rate.</summary>
    public long PieceBytes => Volatile.Read(ref _rate) is > 0 and var rate ? TurnCredit(rate) / ByteCredit : long.MaxValue;

    /// <summary>Gets the number of waiters.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
            {
                return _waiters.Count;
            }
        }
    }

    /// <summary>Takes bytes if they are available and no one waits.</summary>
    public bool TryTake(int bytes)
    {
        if (Volatile.Read(ref _rate) == 0)
        {
            return true;
        }

        lock (_gate)
        {
            return TryTakeNow(bytes);
        }
    }

    /// <summary>Waits until bytes are available and takes them. A canceled wait takes none.</summary>
    public ValueTask TakeAsync(int bytes, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        if (TryTake(bytes))
        {
            return ValueTask.CompletedTask;
        }

        Waiter waiter = new(this, bytes * ByteCredit);
        waiter.Registration = cancellationToken.UnsafeRegister(static (state, token) => ((Waiter)state!).Cancel(token), waiter);
        List<Waiter>? granted;
        lock (_gate)
        {
            Settle();
            _waiters.AddLast(waiter.Node);
            granted = _waiters.First == waiter.Node ? Grant() : null;
        }

        Complete(granted);
        if (cancellationToken.IsCancellationRequested)
        {
            waiter.Cancel(cancellationToken); // the callback may have run before the waiter was in the queue
        }

        return new ValueTask(waiter.Task);
    }

    /// <summary>Returns bytes that were taken but are not transferred.</summary>
    public void Return(int bytes)
    {
        List<Waiter>? granted;
        lock (_gate)
        {
            Settle();
            _credit += bytes * ByteCredit;
            granted = Grant();
        }

        Complete(granted);
    }

    private static long MostCredit(long rate) => rate * Burst.Ticks;

    /// <summary>Gets the credit that a waiter takes in one turn.</summary>
    private static long TurnCredit(long rate) => Math.Max(ByteCredit, MostCredit(rate));

    private static void Complete(List<Waiter>? granted)
    {
        foreach (Waiter waiter in granted ?? [])
        {
            waiter.Registration.Unregister();
            waiter.SetResult();
        }
    }

    private void Serve()
    {
        List<Waiter>? granted;
        lock (_gate)
        {
            Settle();
            granted = Grant();
        }

        Complete(granted);
    }

    private bool TryTakeNow(int bytes)
    {
        Settle();
        long credit = bytes * ByteCredit;
        if (_rate > 0 && (_waiters.Count > 0 || _credit < credit))
        {
            return false;
        }

        _credit -= _rate > 0 ? credit : 0;
        return true;
    }

    /// <summary>Adds the credit for the time since the last call.</summary>
    private void Settle()
    {
        // The time is measured from one origin, because the differences of rounded times would lose a little with each call.
        long now = Math.Max(_settledTicks, _time.GetElapsedTime(_origin).Ticks);
        Int128 credit = _credit + ((Int128)_rate * (now - _settledTicks));
        _settledTicks = now;
        _credit = (long)Int128.Min(credit, long.MaxValue / 2);
        if (_waiters.Count == 0)
        {
            _credit = Math.Min(_credit, MostCredit(_rate));
        }
    }

    /// <summary>Gives the credit to the waiters, in order, and sets the timer for the next one. The caller completes them after releasing the lock.</summary>
    private List<Waiter>? Grant()
    {
        List<Waiter>? granted = null;
        while (_waiters.First?.Value is { } first)
        {
            if (_rate > 0)
            {
                long turn = Math.Min(first.Missing, TurnCredit(_rate) - first.Taken); // not positive if the rate was lowered during the turn
                long part = Math.Clamp(turn, 0, Math.Max(0, _credit));
                first.Missing -= part;
                first.Taken += part;
                _credit -= part;
                if (part < turn)
                {
                    _timer.Change(TimeToEarn(turn - part), Timeout.InfiniteTimeSpan);
                    return granted;
                }
            }

            _waiters.RemoveFirst();
            if (_rate > 0 && first.Missing > 0)
            {
                first.Taken = 0;
                _waiters.AddLast(first.Node);
                continue;
            }

            (granted ??= []).Add(first);
        }

        _credit = Math.Min(_credit, MostCredit(_rate));
        return granted;
    }

    private TimeSpan TimeToEarn(long credit)
    {
        // Timers have a resolution of whole milliseconds. A shorter time would end at once, again and again.
        long milliseconds = (((credit - 1) / _rate) / TimeSpan.TicksPerMillisecond) + 1;
        return milliseconds < LongestWait.TotalMilliseconds ? new TimeSpan(milliseconds * TimeSpan.TicksPerMillisecond) : LongestWait;
    }

    private bool TryRemove(Waiter waiter)
    {
        List<Waiter>? granted;
        lock (_gate)
        {
            if (waiter.Node.List is null)
            {
                return false;
            }

            Settle();
            _waiters.Remove(waiter.Node);
            _credit += waiter.Credit - waiter.Missing;
            granted = Grant();
            if (_waiters.Count == 0)
            {
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
        }

        Complete(granted);
        return true;
    }

    private sealed class Waiter : TaskCompletionSource
    {
        private readonly RateLimiter _limiter;

        public Waiter(RateLimiter limiter, long credit)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            _limiter = limiter;
            Credit = credit;
            Missing = credit;
            Node = new LinkedListNode<Waiter>(this);
        }

        public LinkedListNode<Waiter> Node { get; }

        /// <summary>Gets the credit that the waiter needs.</summary>
        public long Credit { get; }

        /// <summary>Gets or sets the part of the credit that the waiter doesn't have yet. Guarded by the limiter's lock.</summary>
        public long Missing { get; set; }

        /// <summary>Gets or sets the credit that the waiter has taken in its turn. Guarded by the limiter's lock.</summary>
        public long Taken { get; set; }

        /// <summary>Gets or sets the registration of the cancellation. Set before the wait begins.</summary>
        public CancellationTokenRegistration Registration { get; set; }

        /// <summary>Ends the wait, unless the bytes were granted before.</summary>
        public void Cancel(CancellationToken cancellationToken)
        {
            if (_limiter.TryRemove(this))
            {
                Registration.Unregister();
                SetCanceled(cancellationToken);
            }
        }
    }
}
