namespace Transfer.Wire;

/// <summary>Waits for tasks that don't support cancellation. A task that ends after its waiter is observed, and its result is disposed.</summary>
internal static class LateResults
{
    /// <exception cref="OperationCanceledException">Thrown when the token is canceled before the task ends.</exception>
    public static Task<T> WaitAsync<T>(Task<T> task, CancellationToken cancellationToken)
    {
        return task.IsCompleted || !cancellationToken.CanBeCanceled ? task : WaitForEitherAsync(task, cancellationToken);

        static async Task<T> WaitForEitherAsync(Task<T> task, CancellationToken cancellationToken)
        {
            try
            {
                return await task.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                if (task.IsCompleted)
                {
                    return await task.ConfigureAwait(false); // in the same moment
                }

                Abandon(task);
                throw;
            }
        }
    }

    /// <summary>Observes a task that nobody waits for anymore.</summary>
    public static void Abandon<T>(Task<T> task) => _ = task.ContinueWith(
        static ended =>
        {
            _ = ended.Exception; // observed
            if (ended.IsCompletedSuccessfully)
            {
                (ended.Result as IDisposable)?.Dispose();
            }
        },
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);
}
