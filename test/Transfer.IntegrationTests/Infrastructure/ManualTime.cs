namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A clock that only the test advances. Timers fire while it advances.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private readonly DateTimeOffset _start;
    private TimeSpan _elapsed;
    private TaskCompletionSource _timerAdded = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ManualTime(DateTimeOffset start) => _start = start;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => _start + TimeSpan.FromTicks(GetTimestamp());

    public override long GetTimestamp()
    {
        lock (_lock)
        {
            return _elapsed.Ticks;
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Waits until a timer is set.</summary>
    public async Task TimerWaitingAsync()
    {
        while (true)
        {
            Task added;
            lock (_lock)
            {
                if (_timers.Count > 0)
                {
                    return;
                }

                added = _timerAdded.Task;
            }

            await added.InTime();
        }
    }

    public void Advance(TimeSpan by)
    {
        List<ManualTimer> due;
        lock (_lock)
        {
            _elapsed += by;
            due = _timers.FindAll(timer => timer.Due <= _elapsed);
            due.ForEach(timer => _timers.Remove(timer));
        }

        due.ForEach(static timer => timer.Fire());
    }

    private sealed class ManualTimer(ManualTime time, Action fire) : ITimer
    {
        public TimeSpan Due { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            TaskCompletionSource added;
            lock (time._lock)
            {
                time._timers.Remove(this);
                if (dueTime == Timeout.InfiniteTimeSpan)
                {
                    return true;
                }

                Due = time._elapsed + dueTime;
                time._timers.Add(this);
                added = time._timerAdded;
                time._timerAdded = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }

            added.SetResult();
            return true;
        }

        public void Fire() => fire();

        public void Dispose()
        {
            lock (time._lock)
            {
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
