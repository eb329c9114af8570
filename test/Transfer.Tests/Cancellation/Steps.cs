namespace Transfer.S3.Tests.Cancellation;

/// <summary>Counts the waits of an operation (for a response, a body, a source, or a target) and runs the test's action at one of them.</summary>
internal sealed class Steps
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<Step, CancellationToken, Task> _do;
    private readonly int _at;
    private int _count;

    /// <param name="at">The number of the step, starting at 1.</param>
    /// <param name="what">The action to run at the step.</param>
    public Steps(int at, Func<Step, CancellationToken, Task> what) => (_at, _do) = (at, what);

    /// <summary>Gets a task that completes when the step is reached.</summary>
    public Task Reached => _reached.Task;

    /// <summary>Gets what the operation waits for at the step.</summary>
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
