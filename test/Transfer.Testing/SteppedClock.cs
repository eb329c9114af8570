namespace Transfer.S3.Testing;

/// <summary>
/// A clock that only the test advances, for code that sets timers on other threads. It stops at each timer on its way, and the timers fire on the
/// thread that advances it, before <see cref="Advance"/> returns. A test can wait for a timer to be set.
/// </summary>
/// <remarks>
/// For code that only reads the clock, use <c>FakeTimeProvider</c>, which does none of that. Its clock shows the end of the advance to every timer.
/// Its timers fire on any thread that reads the clock or sets a timer meanwhile, even under a lock, and then an advance returns before they do.
/// </remarks>
public sealed class SteppedClock(DateTimeOffset start) : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<FakeTimer> _timers = [];
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TimeSpan _now;

    public SteppedClock()
        : this(DateTimeOffset.UnixEpoch)
    {
    }

    /// <summary>Gets or sets the length below which delays end immediately and advance the clock, for tests that are not about delays.</summary>
    public TimeSpan SkipDelaysBelow { get; set; }

    /// <summary>The length from which a timer counts as a timeout rather than a delay. It is that of the client's stall timeout.</summary>
    public static readonly TimeSpan Guard = TimeSpan.FromSeconds(30);

    /// <summary>Gets or sets the length of shorter timers that count as timeouts, too. If they were skipped, they would race with what they limit.</summary>
    public TimeSpan? ShortGuard { get; set; }

    /// <summary>Gets all delays so far, in order, including skipped ones. Timeouts are not included.</summary>
    public List<TimeSpan> Delays { get; } = [];

    /// <summary>Gets the number of timers that are set and not yet due.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate)
            {
                return _timers.Count;
            }
        }
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp()
    {
        lock (_gate)
        {
            return _now.Ticks;
        }
    }

    public override DateTimeOffset GetUtcNow() => start + new TimeSpan(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        FakeTimer timer = new(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Waits until a timer is set.</summary>
    public Task TimerWaitingAsync() => WhenDueWithinAsync(TimeSpan.FromDays(365));

    /// <summary>Waits until a timer is set that is due within <paramref name="time"/>, then advances the clock by that time.</summary>
    public async Task AdvanceToTimerAsync(TimeSpan time)
    {
        await WhenDueWithinAsync(time);
        Advance(time);
    }

    /// <summary>
    /// Waits until a timer is set that is due within <paramref name="time"/>, then sets the clock forward at once, as after system sleep.
    /// </summary>
    public async Task SleepToTimerAsync(TimeSpan time)
    {
        await WhenDueWithinAsync(time);
        lock (_gate)
        {
            _now += time;
        }

        Advance(TimeSpan.Zero);
    }

    public void Advance(TimeSpan time)
    {
        TimeSpan target;
        lock (_gate)
        {
            target = _now + time;
        }

        while (true)
        {
            FakeTimer? next;
            lock (_gate)
            {
                next = _timers.Where(timer => timer.Due <= target).MinBy(timer => timer.Due);
                if (next is null)
                {
                    _now = target;
                    return;
                }

                _now = next.Due > _now ? next.Due : _now;
                next.Rearm();
            }

            next.Fire();
        }
    }

    private async Task WhenDueWithinAsync(TimeSpan time)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                changed = _changed.Task;
                if (_timers.Exists(timer => timer.Due <= _now + time))
                {
                    return;
                }
            }

            await changed.Within();
        }
    }

    private bool Set(FakeTimer timer, TimeSpan due, TimeSpan period)
    {
        lock (_gate)
        {
            _timers.Remove(timer);
            if (due == Timeout.InfiniteTimeSpan)
            {
                return false;
            }

            bool once = period == Timeout.InfiniteTimeSpan;
            if (once && due < Guard && due != ShortGuard)
            {
                Delays.Add(due);
                if (due < SkipDelaysBelow || due == TimeSpan.Zero)
                {
                    // As with a real clock, a timer that is due immediately doesn't wait until the time changes.
                    _now += due;
                    return true;
                }
            }

            timer.Due = _now + due;
            timer.Period = period;
            _timers.Add(timer);
            _changed.TrySetResult();
            _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return false;
        }
    }

    private sealed class FakeTimer(SteppedClock time, Action fire) : ITimer
    {
        public TimeSpan Due { get; set; }

        public TimeSpan Period { get; set; }

        public void Fire() => fire();

        public void Rearm()
        {
            if (Period == Timeout.InfiniteTimeSpan)
            {
                time._timers.Remove(this);
            }
            else
            {
                Due += Period;
            }
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (time.Set(this, dueTime, period))
            {
                ThreadPool.UnsafeQueueUserWorkItem(static timer => timer.Fire(), this, preferLocal: false);
            }

            return true;
        }

        public void Dispose() => time.Set(this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
