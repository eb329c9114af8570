using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Notices attempts to publish of which nobody knows what the store did with them: an answer that was lost, or that came too late.</summary>
internal sealed class UnclearAttempts
{
    public bool Any { get; private set; }

    public async Task<T> WatchAsync<T>(Func<Task<T>> sendAsync)
    {
        try
        {
            return await sendAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or WireException { Kind: FailureKind.Transient })
        {
            Any = true;
            throw;
        }
    }
}
