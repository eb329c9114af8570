using Transfer.S3.Concurrency;

namespace Transfer.S3.Observability;

/// <content>The times of the transfer, by kind.</content>
internal sealed partial class TransferReporter
{
    private readonly TimeSpan _pausedBefore;
    private TransferTimeSums _times;
    private readonly RecentTimes? _recentTimes;
    private Bottleneck _recentBottleneck;
    private Wait? _wait;
    private int _objectsInProgress;

    /// <summary>Gets the time that has passed since a timestamp.</summary>
    public TimeSpan ElapsedSince(long since) => _time.GetElapsedTime(since);

    /// <summary>Adds the time that has passed.</summary>
    /// <param name="kind">The kind of the time.</param>
    /// <param name="since">The value of <see cref="Now"/> at the start of the time.</param>
    public void AddTime(TransferTimeKind kind, long since) => AddTime(kind, _time.GetElapsedTime(since));

    /// <summary>Adds a time.</summary>
    public void AddTime(TransferTimeKind kind, TimeSpan time)
    {
        if (time > TimeSpan.Zero)
        {
            _times.Add(kind, time);
            _whole?.AddTime(kind, time);
        }
    }

    /// <summary>Waits until one more part can start, and counts the wait.</summary>
    public async ValueTask EnterAsync(PartWindow window, CancellationToken cancellationToken)
    {
        if (Pause is { IsPaused: true } pause)
        {
            await pause.WhenRunningAsync(cancellationToken).ConfigureAwait(false); // a part takes memory
        }

        if (!window.TryEnter())
        {
            Wait wait = BeginWait(SlotKind(window));
            try
            {
                await window.EnterAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                EndWait(wait);
            }
        }
    }

    /// <summary>Waits until another attempt to start a part can succeed, and counts the wait.</summary>
    public async ValueTask WaitAsync(PartWindow window, TransferTimeKind kind, CancellationToken cancellationToken)
    {
        Wait wait = BeginWait(kind);
        try
        {
            await window.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            EndWait(wait);
        }
    }

    /// <summary>Waits for what the next part needs, and counts the wait.</summary>
    public async ValueTask<T> WaitAsync<T>(ValueTask<T> waiting, TransferTimeKind kind)
    {
        Wait wait = BeginWait(kind);
        try
        {
            return await waiting.ConfigureAwait(false);
        }
        finally
        {
            EndWait(wait);
        }
    }

    /// <summary>Counts an object that begins, in a transfer of many objects. It ends with its own reporter.</summary>
    public void BeginObject() => Interlocked.Increment(ref _objectsInProgress);

    /// <summary>Gets the kind of a wait for a window that is full of parts that are being transferred.</summary>
    public static TransferTimeKind SlotKind(PartWindow window)
        => window.IsLimitedByMemory ? TransferTimeKind.Memory : window.IsFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot;

    /// <summary>Gets the time that the transfer was paused.</summary>
    private TimeSpan PausedTime => Pause is { } pause ? pause.PausedTime - _pausedBefore : TimeSpan.Zero;

    /// <summary>Gets the times so far.</summary>
    public TransferTimes GetTimes() => GetTimes(_times, Elapsed - PausedTime, _times[TransferTimeKind.Objects]);

    /// <summary>Begins a wait of the loop that begins parts. It waits for one thing at a time.</summary>
    private Wait BeginWait(TransferTimeKind kind)
    {
        Wait wait = new(kind, Now, PausedTime);
        Volatile.Write(ref _wait, wait);
        return wait;
    }

    private void EndWait(Wait wait)
    {
        Volatile.Write(ref _wait, null); // before it is counted, so that nobody counts it twice
        AddTime(wait.Kind, GetTime(wait));
    }

    /// <summary>Gets the time of a wait without the pauses during it.</summary>
    private TimeSpan GetTime(Wait wait) => ElapsedSince(wait.Since) - (PausedTime - wait.PausedBefore);

    /// <summary>
    /// Gets what limited the transfer in the last seconds. While nothing is known, because parts of a slow link take longer than that, the answer stays the same.
    /// Called under the lock of the reports.
    /// </summary>
    private Bottleneck FindRecentBottleneck()
    {
        TransferTimeSums sums = _times;
        if (Volatile.Read(ref _wait) is { } wait)
        {
            sums.Add(wait.Kind, GetTime(wait));
        }

        (TransferTimeSums recent, TimeSpan elapsed) = _recentTimes!.Update(sums, Elapsed - PausedTime);
        TimeSpan inProgress = elapsed * Volatile.Read(ref _objectsInProgress); // large objects add their time only at their end
        TimeSpan objects = recent[TransferTimeKind.Objects];
        Bottleneck bottleneck = GetTimes(recent, elapsed, objects > inProgress ? objects : inProgress).Bottleneck;
        return _recentBottleneck = bottleneck == Bottleneck.None ? _recentBottleneck : bottleneck;
    }

    /// <param name="sums">The times by kind.</param>
    /// <param name="elapsed">The time in which they were added.</param>
    /// <param name="objects">The sum of the times of the objects, in a transfer of many objects.</param>
    private TransferTimes GetTimes(in TransferTimeSums sums, TimeSpan elapsed, TimeSpan objects)
    {
        TimeSpan received = sums[TransferTimeKind.Receiving] - sums[TransferTimeKind.Data] - sums[TransferTimeKind.Disk] - sums[TransferTimeKind.RateLimit];
        TransferTimes times = new()
        {
            WaitingForSlot = sums[TransferTimeKind.Slot] + sums[TransferTimeKind.ChosenSlot],
            WaitingForMemory = sums[TransferTimeKind.Memory],
            WaitingForReader = sums[TransferTimeKind.Reader],
            WaitingForSource = sums[TransferTimeKind.Source],
            Disk = sums[TransferTimeKind.Disk],
            FirstByte = sums[TransferTimeKind.FirstByte],
            Data = sums[TransferTimeKind.Data],
            Processing = received > TimeSpan.Zero ? received : TimeSpan.Zero,
            Backoff = sums[TransferTimeKind.Backoff],
            ThrottlingBackoff = sums[TransferTimeKind.ThrottlingBackoff],
            RateLimit = sums[TransferTimeKind.RateLimit],
            Paused = PausedTime,
        };
        Bottleneck bottleneck = BottleneckRules.Find(
            times,
            objects > elapsed ? objects : elapsed,
            elapsed,
            sums[TransferTimeKind.ChosenSlot],
            Queue?.GetState(Flow.Direction) ?? default,
            _direction == TransferDirection.Copy);
        return times with { Bottleneck = bottleneck };
    }

    /// <summary>A wait that hasn't ended.</summary>
    private sealed record Wait(TransferTimeKind Kind, long Since, TimeSpan PausedBefore);
}
