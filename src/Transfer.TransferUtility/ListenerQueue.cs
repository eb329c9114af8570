namespace Transfer.S3.TransferUtility;

/// <summary>
/// Calls the progress listeners of one request in order, outside of the transfer. The SDK's own queue drops events if 100 others are waiting, and has no way to wait
/// for it. As in the SDK, one listener of the process runs at a time, so that a listener for many requests needs no lock.
/// </summary>
/// <param name="time">The clock for the wait for listeners.</param>
internal sealed class ListenerQueue(TimeProvider time)
{
    /// <summary>The maximum number of waiting events. If there are more, the oldest are dropped, because later events contain more.</summary>
    public const int MaxWaiting = 1_000;

    /// <summary>The time that a call waits for its listeners at its end. A listener can itself wait for the call.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private static readonly SemaphoreSlim OneAtATime = new(1, 1);
    private readonly Lock _gate = new();
    private readonly Queue<Action> _waiting = new();
    private Task? _calling;

    /// <summary>Queues an event.</summary>
    public void Add(Action tell)
    {
        lock (_gate)
        {
            Trim(MaxWaiting - 1);
            _waiting.Enqueue(tell);
            _calling ??= Task.Run(CallAsync);
        }
    }

    /// <summary>Waits until all events were reported, or for <see cref="Patience"/>.</summary>
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
                Trim(1); // the other events have no waiter anymore
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
