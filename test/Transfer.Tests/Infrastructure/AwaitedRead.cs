using System.Threading.Tasks.Sources;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// A read that doesn't complete until it is awaited. A task that completes "later" can already be complete when its reader checks it.
/// </summary>
/// <param name="complete">Called when the read is awaited. Returns the number of bytes read, or throws an <see cref="IOException"/>.</param>
internal sealed class AwaitedRead(Func<int> complete) : IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> _core = new() { RunContinuationsAsynchronously = true };

    public ValueTask<int> Task => new(this, _core.Version);

    public int GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _core.OnCompleted(continuation, state, token, flags);
        try
        {
            _core.SetResult(complete());
        }
        catch (IOException e)
        {
            _core.SetException(e);
        }
    }
}
