namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Blocks the code under test at a certain point until the test opens the gate.</summary>
internal sealed class Gate
{
    private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets a task that completes when the code under test waits at the gate.</summary>
    public Task Reached => _reached.Task.Within();

    public void Open() => _open.TrySetResult();

    public Task PassAsync(CancellationToken cancellationToken)
    {
        _reached.TrySetResult();
        return _open.Task.WaitAsync(cancellationToken);
    }
}
