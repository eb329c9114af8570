namespace Transfer.Tests.Infrastructure;

/// <summary>A place where the code under test stops until the test lets it go on.</summary>
internal sealed class Gate
{
    private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when somebody stands before the gate.</summary>
    public Task Reached => _reached.Task.Within();

    public void Open() => _open.TrySetResult();

    public Task PassAsync(CancellationToken cancellationToken)
    {
        _reached.TrySetResult();
        return _open.Task.WaitAsync(cancellationToken);
    }
}
