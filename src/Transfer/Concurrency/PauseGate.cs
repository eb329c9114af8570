namespace Transfer.S3.Concurrency;

/// <summary>
/// Blocks the requests of one transfer while it is paused. It tracks the requests in flight, and interrupts those that don't end in time.
/// </summary>
internal sealed class PauseGate
{
    /// <summary>How long requests in flight have to complete.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly HashSet<IPausableRequest> _requests = [];
    private readonly HashSet<PausableRun> _runs = [];
    private TimeProvider _time = TimeProvider.System;
    private Pause? _pause;
    private TimeSpan _pausedBefore;
    private bool _isStarted;
    private bool _isEnded;

    public bool IsPaused => Volatile.Read(ref _pause) is not null;

    /// <summary>Gets how long the transfer was paused, without the time before it began.</summary>
    public TimeSpan PausedTime
    {
        get
        {
            lock (_lock)
            {
                return _pausedBefore + (_pause is { } pause && _isStarted ? _time.GetElapsedTime(pause.Since) : TimeSpan.Zero);
            }
        }
    }

    /// <summary>Reports that the transfer begins.</summary>
    public void Start(TimeProvider time)
    {
        lock (_lock)
        {
            _time = time;
            _isStarted = true;
            _pause?.Since = time.GetTimestamp();
        }
    }

    /// <summary>Reports that the transfer has ended. No more pauses are possible.</summary>
    public void End()
    {
        lock (_lock)
        {
            _isEnded = true;
        }

        Resume();
    }

    /// <summary>Waits until the transfer isn't paused.</summary>
    public ValueTask WhenRunningAsync(CancellationToken cancellationToken) => IsPaused ? WaitAsync(cancellationToken) : ValueTask.CompletedTask;

    /// <returns>A task that completes when the transfer is paused or resumed.</returns>
    public Task PauseAsync()
    {
        Pause pause;
        lock (_lock)
        {
            if (_isEnded)
            {
                return Task.CompletedTask;
            }

            if (_pause is { } earlier)
            {
                return earlier.Paused.Task;
            }

            pause = new Pause { Since = _time.GetTimestamp() };
            _pause = pause;
            pause.LookWhetherIdle(_requests.Count);
        }

        _ = StopAsync(pause);
        return pause.Paused.Task;
    }

    public void Resume()
    {
        Pause? pause;
        lock (_lock)
        {
            pause = _pause;
            _pause = null;
            _pausedBefore += pause is not null && _isStarted ? _time.GetElapsedTime(pause.Since) : TimeSpan.Zero;
        }

        pause?.Resumed.TrySetResult();
        pause?.Paused.TrySetResult();
    }

    /// <summary>Registers a request that is about to be sent.</summary>
    /// <returns><see langword="false"/> if it must not be sent now.</returns>
    public bool TryAdd(IPausableRequest request)
    {
        lock (_lock)
        {
            if (_pause is not null)
            {
                return false;
            }

            _requests.Add(request);
            return true;
        }
    }

    /// <summary>Removes a request that has ended.</summary>
    public void Remove(IPausableRequest request)
    {
        lock (_lock)
        {
            _requests.Remove(request);
            _pause?.LookWhetherIdle(_requests.Count);
        }
    }

    /// <summary>Registers an operation whose memory can be released while the transfer is paused.</summary>
    public void Add(PausableRun run)
    {
        lock (_lock)
        {
            _runs.Add(run);
        }

        LookAgain(run);
    }

    public void Remove(PausableRun run)
    {
        lock (_lock)
        {
            _runs.Remove(run);
            _pause?.LookWhetherStopped(_runs);
        }
    }

    /// <summary>Reports that an operation can be stopped from now on.</summary>
    public void LookAgain(PausableRun run)
    {
        bool isPaused;
        lock (_lock)
        {
            isPaused = _pause is { AreRunsStopped: true };
        }

        if (isPaused)
        {
            run.Stop();
        }
    }

    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        while (Volatile.Read(ref _pause) is { } pause)
        {
            await pause.Resumed.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task StopAsync(Pause pause)
    {
        Task idle = Task.WhenAny(pause.Idle.Task, pause.Resumed.Task);
        if (!idle.IsCompleted)
        {
            using CancellationTokenSource isIdle = new();
            await Task.WhenAny(idle, Task.Delay(Grace, _time, isIdle.Token)).ConfigureAwait(false);
            await isIdle.CancelAsync().ConfigureAwait(false);
            Interrupt(pause);
            await idle.ConfigureAwait(false);
        }

        PausableRun[] runs;
        lock (_lock)
        {
            if (_pause != pause)
            {
                return;
            }

            pause.AreRunsStopped = true;
            runs = [.. _runs];
            pause.LookWhetherStopped(_runs);
        }

        Array.ForEach(runs, static run => run.Stop());
        await Task.WhenAny(pause.Stopped.Task, pause.Resumed.Task).ConfigureAwait(false);
        pause.Paused.TrySetResult();
    }

    /// <summary>Interrupts the requests that are still in flight, unless the transfer was resumed.</summary>
    private void Interrupt(Pause pause)
    {
        IPausableRequest[] late;
        lock (_lock)
        {
            late = _pause == pause ? [.. _requests] : [];
        }

        foreach (IPausableRequest request in late)
        {
            if (request.TryInterrupt() && request.IsAtRest)
            {
                Remove(request); // nothing is in flight while its reader holds all memory; the next read detects the interruption
            }
        }
    }

    /// <summary>One pause. Its sources are completed under the lock, so their continuations run on other threads.</summary>
    private sealed class Pause
    {
        public TaskCompletionSource Idle { get; } = NewSource();

        public TaskCompletionSource Stopped { get; } = NewSource();

        public TaskCompletionSource Paused { get; } = NewSource();

        public TaskCompletionSource Resumed { get; } = NewSource();

        public bool AreRunsStopped { get; set; }

        public long Since { get; set; }

        public void LookWhetherIdle(int requests)
        {
            if (requests == 0)
            {
                Idle.TrySetResult();
            }
        }

        public void LookWhetherStopped(HashSet<PausableRun> runs)
        {
            if (AreRunsStopped && !runs.Any(static run => run.Ends))
            {
                Stopped.TrySetResult();
            }
        }

        private static TaskCompletionSource NewSource() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
