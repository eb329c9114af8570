using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Makes a listing of the objects of a time from a listing of versions. Of these, only the key at the end of a page is kept.</summary>
internal static class PastListing
{
    /// <param name="pages">The listing of versions.</param>
    /// <param name="query">The objects to list.</param>
    /// <param name="time">The time.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<ListedPage> ReadAsync(
        IAsyncEnumerable<ListedPage> pages, ListQuery query, DateTimeOffset time, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        KeyHistory? last = null;
        await foreach (ListedPage page in pages.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            List<ListedObject> items = [];
            foreach (ListedObject version in page.Items)
            {
                if (version.Key != last?.Key)
                {
                    AddTo(items, last);
                    last = new KeyHistory(query.Bucket, version.Key, time);
                }

                last.Add(version);
            }

            if (page.IsLast)
            {
                AddTo(items, last);
            }

            yield return page with { Items = items };
        }
    }

    private static void AddTo(List<ListedObject> items, KeyHistory? history)
    {
        if (history?.Object is { } found)
        {
            items.Add(found);
        }
    }
}
