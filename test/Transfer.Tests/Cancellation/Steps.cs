namespace Transfer.Tests.Cancellation;

/// <summary>Counts where an operation waits for the world, a store's answer, a body's bytes, a source or a target, and does at one of these places what the test says.</summary>
internal sealed class Steps
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<Step, CancellationToken, Task> _do;
    private readonly int _at;
    private int _count;

    /// <param name="at">Which one, from 1.</param>
    /// <param name="what">What is done there.</param>
    public Steps(int at, Func<Step, CancellationToken, Task> what) => (_at, _do) = (at, what);

    /// <summary>Completes when the place is reached.</summary>
    public Task Reached => _reached.Task;

    /// <summary>What was waited for there.</summary>
    public Step What { get; private set; }

    public async Task PassAsync(Step step, CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _count) == _at)
        {
            What = step;
            _reached.TrySetResult();
            await _do(step, cancellationToken);
        }
    }
}
