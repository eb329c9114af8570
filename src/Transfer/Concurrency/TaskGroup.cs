using System.Runtime.ExceptionServices;

namespace Transfer.S3.Concurrency;

/// <summary>Tasks that end together. The first failure stops the others, and the group ends when its owner adds no more and all tasks have ended.</summary>
internal sealed class TaskGroup : IDisposable
{
    private readonly CancellationTokenSource _stop;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Exception? _error;
    private int _isClosed;
    private int _active = 1; // the owner counts as one until it closes the group

    /// <param name="cancellationToken">Stops the tasks.</param>
    public TaskGroup(CancellationToken cancellationToken = default)
    {
        _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Stopping = _stop.Token;
    }

    /// <summary>Gets the token that is canceled at the first failure. It can be used after the group was disposed.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Gets the first failure; null if there is none.</summary>
    public Exception? Error => Volatile.Read(ref _error);

    /// <summary>Adds a running task. Only the owner, before it closes the group, and tasks of the group can add others.</summary>
    public void Add(Task task)
    {
        if (!task.IsCompletedSuccessfully)
        {
            Enter();
            _ = FollowAsync(task);
        }
    }

    /// <summary>Counts a call that the group waits for, and that ends with <see cref="Leave"/>.</summary>
    public void Enter() => Interlocked.Increment(ref _active);

    /// <summary>Counts a call that the group waits for, unless the group is stopping.</summary>
    /// <returns>False if the group is stopping or has ended.</returns>
    public bool TryEnter()
    {
        int active = Volatile.Read(ref _active);
        while (active > 0 && !Stopping.IsCancellationRequested)
        {
            int former = Interlocked.CompareExchange(ref _active, active + 1, active);
            if (former == active)
            {
                return true;
            }

            active = former;
        }

        return false;
    }

    /// <summary>Ends a call.</summary>
    public void Leave()
    {
        if (Interlocked.Decrement(ref _active) == 0)
        {
            _ended.TrySetResult();
        }
    }

    /// <summary>Stops the tasks because of a failure. Only the first one is kept.</summary>
    public void Fail(Exception error)
    {
        if (TryKeep(error))
        {
            Stop();
        }
    }

    /// <summary>Keeps a failure if it is the first one. The caller then stops the tasks.</summary>
    public bool TryKeep(Exception error) => Interlocked.CompareExchange(ref _error, error, null) is null;

    /// <summary>Stops the tasks. Later calls have no effect. The group ends with the failure of a task, not with those of callbacks.</summary>
    public void Stop() => _stop.CancelAndIgnoreErrors();

    /// <inheritdoc cref="Stop"/>
    /// <remarks>Callbacks of the token run on another thread.</remarks>
    public async Task StopAsync() => await _stop.CancelAsync().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <summary>Closes the group, and waits until all tasks have ended. Later calls wait too.</summary>
    public Task WhenEndedAsync()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) == 0)
        {
            Leave();
        }

        return _ended.Task;
    }

    /// <summary>Closes the group, waits until all tasks have ended, and throws the first failure.</summary>
    public async Task EndAsync()
    {
        await WhenEndedAsync().ConfigureAwait(false);
        ThrowIfFailed();
    }

    /// <summary>Throws the first failure if there is one.</summary>
    public void ThrowIfFailed()
    {
        if (Error is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }
    }

    public void Dispose() => _stop.Dispose();

    private async Task FollowAsync(Task task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
#pragma warning disable CA1031 // kept, and thrown where the group ends
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e);
        }

        Leave();
    }
}
