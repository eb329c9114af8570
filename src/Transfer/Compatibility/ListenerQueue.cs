namespace Transfer.Compatibility;

/// <summary>
/// Calls the progress listeners of one request in order, beside the transfer. The SDK's own queue drops events while 100 others wait in it, and nobody can wait for
/// it. As there, one listener of the whole process runs at a time, so that a listener of many requests needs no lock.
/// </summary>
/// <param name="time">The clock of the wait for listeners.</param>
internal sealed class ListenerQueue(TimeProvider time)
{
    /// <summary>The most events that wait. Beyond that the oldest are left out, which say less than those behind them.</summary>
    public const int MaxWaiting = 1_000;

    /// <summary>How long a call waits for its listeners at its end. A listener may itself wait for the call.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private static readonly SemaphoreSlim OneAtATime = new(1, 1);
    private readonly Lock _gate = new();
    private readonly Queue<Action> _waiting = new();
    private Task? _calling;

    /// <summary>Has an event told as soon as those before it were.</summary>
    public void Add(Action tell)
    {
        lock (_gate)
        {
            Trim(MaxWaiting - 1);
            _waiting.Enqueue(tell);
            _calling ??= Task.Run(CallAsync);
        }
    }

    /// <summary>Waits until every event was told, or for <see cref="Patience"/>.</summary>
    public async Task WhenToldAsync()
    {
        Task? calling;
        lock (_gate)
        {
            calling = _calling;
        }

        if (calling is null)
        {
            return;
        }

        try
        {
            await calling.WaitAsync(Patience, time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            lock (_gate)
            {
                Trim(1); // nobody waits for the others any more
            }
        }
    }

    private async Task CallAsync()
    {
        while (TryTake() is { } tell)
        {
            await OneAtATime.WaitAsync().ConfigureAwait(false);
            try
            {
                tell();
            }
            finally
            {
                OneAtATime.Release();
            }
        }
    }

    private Action? TryTake()
    {
        lock (_gate)
        {
            if (_waiting.TryDequeue(out Action? tell))
            {
                return tell;
            }

            _calling = null;
            return null;
        }
    }

    private void Trim(int count)
    {
        while (_waiting.Count > count)
        {
            _waiting.Dequeue();
        }
    }
}
