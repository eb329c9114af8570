using Transfer.Concurrency;

namespace Transfer.Observability;

/// <content>The times of the transfer, by kind.</content>
internal sealed partial class TransferReporter
{
    private readonly TimeSpan _pausedBefore;
    private TransferTimeSums _times;

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
            (long since, TimeSpan paused, TransferTimeKind kind) = (Now, PausedTime, SlotKind(window));
            await window.EnterAsync(cancellationToken).ConfigureAwait(false);
            AddTime(kind, ElapsedSince(since) - (PausedTime - paused));
        }
    }

    /// <summary>Waits until another attempt to start a part can succeed, and counts the wait.</summary>
    public async ValueTask WaitAsync(PartWindow window, TransferTimeKind kind, CancellationToken cancellationToken)
    {
        (long since, TimeSpan paused) = (Now, PausedTime);
        await window.WaitAsync(cancellationToken).ConfigureAwait(false);
        AddTime(kind, ElapsedSince(since) - (PausedTime - paused)); // without a pause during the wait
    }

    /// <summary>Gets the kind of a wait for a window that is full of parts that are being transferred.</summary>
    public static TransferTimeKind SlotKind(PartWindow window)
        => window.IsLimitedByMemory ? TransferTimeKind.Memory : window.IsFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot;

    /// <summary>Gets the time that the transfer was paused.</summary>
    private TimeSpan PausedTime => Pause is { } pause ? pause.PausedTime - _pausedBefore : TimeSpan.Zero;

    /// <summary>Gets the times so far.</summary>
    public TransferTimes GetTimes()
    {
        TimeSpan elapsed = Elapsed - PausedTime;
        TimeSpan received = _times[TransferTimeKind.Receiving] - _times[TransferTimeKind.Data] - _times[TransferTimeKind.Disk] - _times[TransferTimeKind.RateLimit];
        TransferTimes times = new()
        {
            WaitingForSlot = _times[TransferTimeKind.Slot] + _times[TransferTimeKind.ChosenSlot],
            WaitingForMemory = _times[TransferTimeKind.Memory],
            WaitingForReader = _times[TransferTimeKind.Reader],
            WaitingForSource = _times[TransferTimeKind.Source],
            Disk = _times[TransferTimeKind.Disk],
            FirstByte = _times[TransferTimeKind.FirstByte],
            Data = _times[TransferTimeKind.Data],
            Processing = received > TimeSpan.Zero ? received : TimeSpan.Zero,
            Backoff = _times[TransferTimeKind.Backoff],
            ThrottlingBackoff = _times[TransferTimeKind.ThrottlingBackoff],
            RateLimit = _times[TransferTimeKind.RateLimit],
            Paused = PausedTime,
        };
        TimeSpan objects = _times[TransferTimeKind.Objects];
        times.Name(BottleneckRules.Find(
            times,
            objects > elapsed ? objects : elapsed,
            elapsed,
            _times[TransferTimeKind.ChosenSlot],
            Queue?.StateOf(Flow.Direction) ?? default,
            _direction == TransferDirection.Copy));
        return times;
    }
}
