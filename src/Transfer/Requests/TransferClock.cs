using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>Adds up the times of one transfer by kind, also for the transfer that it is part of.</summary>
/// <param name="time">The clock.</param>
/// <param name="pause">The pauses of the transfer; null if it can't be paused.</param>
/// <param name="whole">The times of the transfer that it is part of; null for none.</param>
internal sealed class TransferClock(TimeProvider time, PauseGate? pause, TransferClock? whole)
{
    private readonly long _started = time.GetTimestamp();
    private readonly TimeSpan _pausedBefore = whole?.Pause?.PausedTime ?? TimeSpan.Zero;
    private TransferTimeSums _sums;
    private Wait? _wait;

    /// <summary>Gets the current timestamp, which is the start of a time to add.</summary>
    public long Now => time.GetTimestamp();

    /// <summary>Gets the time since the begin of the transfer.</summary>
    public TimeSpan Elapsed => time.GetElapsedTime(_started);

    /// <summary>Gets the time that the transfer was paused.</summary>
    public TimeSpan Paused => pause is null ? TimeSpan.Zero : pause.PausedTime - _pausedBefore;

    /// <summary>Gets the time since the begin of the transfer without its pauses.</summary>
    public TimeSpan Running => Elapsed - Paused;

    /// <summary>Gets the times that were added.</summary>
    public TransferTimeSums Sums => _sums;

    /// <summary>Gets the times that were added, and the wait that hasn't ended.</summary>
    public TransferTimeSums SumsNow
    {
        get
        {
            TransferTimeSums sums = _sums;
            if (Volatile.Read(ref _wait) is { } wait)
            {
                sums.Add(wait.Kind, GetTime(wait));
            }

            return sums;
        }
    }

    private PauseGate? Pause => pause;

    /// <summary>Gets the time that has passed since a timestamp.</summary>
    public TimeSpan ElapsedSince(long since) => time.GetElapsedTime(since);

    /// <summary>Adds the time that has passed.</summary>
    /// <param name="kind">The kind of the time.</param>
    /// <param name="since">The value of <see cref="Now"/> at the start of the time.</param>
    public void Add(TransferTimeKind kind, long since) => Add(kind, time.GetElapsedTime(since));

    /// <summary>Adds a time.</summary>
    public void Add(TransferTimeKind kind, TimeSpan passed)
    {
        if (passed > TimeSpan.Zero)
        {
            _sums.Add(kind, passed);
            whole?.Add(kind, passed);
        }
    }

    /// <summary>Waits until one more part can start, and counts the wait.</summary>
    public async ValueTask EnterAsync(PartWindow window, CancellationToken cancellationToken)
    {
        if (pause is { IsPaused: true })
        {
            await pause.WhenRunningAsync(cancellationToken).ConfigureAwait(false); // a part takes memory
        }

        if (!window.TryEnter())
        {
            await WaitAsync(SlotKind(window), window.EnterAsync(cancellationToken)).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for what the next part needs, and counts the wait.</summary>
    public async ValueTask WaitAsync(TransferTimeKind kind, ValueTask waiting)
    {
        Wait wait = BeginWait(kind);
        try
        {
            await waiting.ConfigureAwait(false);
        }
        finally
        {
            EndWait(wait);
        }
    }

    /// <inheritdoc cref="WaitAsync(TransferTimeKind, ValueTask)"/>
    public async ValueTask<T> WaitAsync<T>(TransferTimeKind kind, ValueTask<T> waiting)
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

    /// <summary>Gets the kind of a wait for a window that is full of parts that are being transferred.</summary>
    public static TransferTimeKind SlotKind(PartWindow window)
        => window.IsLimitedByMemory ? TransferTimeKind.Memory : window.IsFixed ? TransferTimeKind.ChosenSlot : TransferTimeKind.Slot;

    /// <summary>Begins a wait of the loop that begins parts. It waits for one thing at a time.</summary>
    private Wait BeginWait(TransferTimeKind kind)
    {
        Wait wait = new(kind, Now, Paused);
        Volatile.Write(ref _wait, wait);
        return wait;
    }

    private void EndWait(Wait wait)
    {
        Volatile.Write(ref _wait, null); // before it is counted, so that nobody counts it twice
        Add(wait.Kind, GetTime(wait));
    }

    /// <summary>Gets the time of a wait without the pauses during it.</summary>
    private TimeSpan GetTime(Wait wait) => ElapsedSince(wait.Since) - (Paused - wait.PausedBefore);

    /// <summary>A wait that hasn't ended.</summary>
    private sealed record Wait(TransferTimeKind Kind, long Since, TimeSpan PausedBefore);
}
