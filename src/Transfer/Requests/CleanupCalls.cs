using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>
/// The requests of one cleanup, which are sent even if the caller's token is canceled. Together, they may take <see cref="TransferDefaults.AbortTimeout"/> from the
/// moment at which the first one has a slot. Other transfers can occupy all slots for longer than that, and what isn't cleaned up then uses storage.
/// </summary>
internal sealed class CleanupCalls(TransferRun run) : IDisposable
{
    private readonly CancellationTokenSource _timeout = new(Timeout.InfiniteTimeSpan, run.Client.Time);
    private int _hasBegun;

    /// <exception cref="OperationCanceledException">Thrown when the cleanup has taken too long.</exception>
    public Task<T> SendAsync<T>(Func<CancellationToken, Task<T>> sendAsync)
        => run.SendAsync(
            token =>
            {
                if (Interlocked.Exchange(ref _hasBegun, 1) == 0)
                {
                    _timeout.CancelAfter(TransferDefaults.AbortTimeout);
                }

                return sendAsync(token);
            },
            _timeout.Token,
            cost: RequestCost.Cleanup);

    public void Dispose() => _timeout.Dispose();
}
