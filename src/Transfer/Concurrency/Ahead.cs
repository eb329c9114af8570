using System.Runtime.CompilerServices;

namespace Transfer.S3.Concurrency;

/// <summary>Works ahead of who consumes the results.</summary>
internal static class Ahead
{
    /// <summary>
    /// Begins an operation for each item, several at once, and returns the results in the order of the items. Whoever stops early waits until what has begun has ended,
    /// and results that nobody gets are disposed.
    /// </summary>
    /// <param name="items">The items.</param>
    /// <param name="most">The maximum number of operations in progress, 1 or more.</param>
    /// <param name="begin">Begins the operation for an item. It is called for one item at a time.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<TResult> SelectAsync<T, TResult>(
        IAsyncEnumerable<T> items, int most, Func<T, CancellationToken, Task<TResult>> begin, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using CancellationTokenSource stopping = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Queue<Task<TResult>> coming = new();
        try
        {
            await foreach (T item in items.WithCancellation(stopping.Token).ConfigureAwait(false))
            {
                coming.Enqueue(begin(item, stopping.Token));
                while (coming.Count >= most || (coming.TryPeek(out Task<TResult>? next) && next.IsCompleted))
                {
                    yield return await TakeAsync(coming).ConfigureAwait(false);
                }
            }

            while (coming.Count > 0)
            {
                yield return await TakeAsync(coming).ConfigureAwait(false);
            }
        }
        finally
        {
            await stopping.CancelAsync().ConfigureAwait(false);
            foreach (Task<TResult> left in coming)
            {
                await ((Task)left).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (left.IsCompletedSuccessfully)
                {
                    (await left.ConfigureAwait(false) as IDisposable)?.Dispose();
                }
            }
        }
    }

    /// <summary>Waits for the first result. If that is canceled or fails, the operation stays in the queue, where the end waits for it.</summary>
    private static async Task<TResult> TakeAsync<TResult>(Queue<Task<TResult>> coming)
    {
        TResult result = await coming.Peek().ConfigureAwait(false);
        _ = coming.Dequeue();
        return result;
    }
}
