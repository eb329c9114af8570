using System.Runtime.CompilerServices;

namespace Transfer.S3.Wire;

/// <summary>Reads lists page by page.</summary>
internal static class Pages
{
    /// <summary>Collects all items. The method of the framework would go on in the context of the caller.</summary>
    public static async Task<List<T>> CollectAsync<T>(IAsyncEnumerable<T> items, CancellationToken cancellationToken)
    {
        List<T> all = [];
        await foreach (T item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            all.Add(item);
        }

        return all;
    }

    /// <summary>Reads all pages. The next page is requested while one is processed, and only these two pages are in memory.</summary>
    /// <param name="requestAsync">Requests the page after another one, or the first page. It returns null if the store has no such list.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<Page<T>> ReadAsync<T>(
        Func<PageEnd?, CancellationToken, Task<Page<T>?>> requestAsync, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using CancellationTokenSource stopping = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<Page<T>?> coming = requestAsync(null, stopping.Token);
        try
        {
            while (await coming.ConfigureAwait(false) is { } page)
            {
                if (page.Next is { } next)
                {
                    coming = requestAsync(next, stopping.Token);
                }

                yield return page;
                if (page.Next is null)
                {
                    break;
                }
            }
        }
        finally
        {
            await stopping.CancelAsync().ConfigureAwait(false);
            await ((Task)coming).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
