namespace Transfer.S3.Wire;

/// <summary>Waits for tasks that don't support cancellation. If a wait is canceled, the exception of the task is observed later, and its result is disposed.</summary>
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
                    return await task.ConfigureAwait(false); // the task ended at the same time
                }

                Abandon(task);
                throw;
            }
        }
    }

    /// <summary>Observes the exception of a task when it ends, and disposes its result.</summary>
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
