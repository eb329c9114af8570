using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Lists the objects under a prefix, except for excluded folders that are longer than a page: when a page ends in such a folder, the listing continues behind it. It
/// returns what the pages contain, so the caller still selects the objects.
/// </summary>
internal static class SelectedListing
{
    /// <summary>The last character that a key can have.</summary>
    private const string Last = "\U0010FFFF";

    /// <param name="run">The transfer.</param>
    /// <param name="query">The objects to list.</param>
    /// <param name="filter">The filter.</param>
    /// <param name="folderLength">The length of the part of each key that the filter doesn't see.</param>
    /// <param name="outside">Receives each object that the store lists although its key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static IAsyncEnumerable<ListedObject> ReadAsync(
        TransferRun run, ListQuery query, PathFilter filter, int folderLength, Action<ListedObject> outside, CancellationToken cancellationToken)
        => ReadAsync(
            run,
            query,
            filter.HasRules ? key => filter.GetExcludedFolder(key[folderLength..]) is { } folder ? string.Concat(key.AsSpan(0, folderLength), folder) : null : null,
            outside,
            cancellationToken);

    /// <param name="run">The transfer.</param>
    /// <param name="query">The objects to list.</param>
    /// <param name="folderOf">Gets the prefix of a key behind which the listing can continue; null if there is none. Null to skip nothing.</param>
    /// <param name="outside">Receives each object that the store lists although its key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<ListedObject> ReadAsync(
        TransferRun run, ListQuery query, Func<string, string?>? folderOf, Action<ListedObject> outside, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        bool canSkip = folderOf is not null && PageRules.GetObjects(query.Bucket).IsOrdered;
        string? behind;
        do
        {
            behind = null;
            await foreach (ListedPage page in ObjectListing.PagesAsync(run, query, cancellationToken).ConfigureAwait(false))
            {
                foreach (ListedObject item in page.Outside)
                {
                    outside(item);
                }

                foreach (ListedObject item in page.Items)
                {
                    if (query.StartAfter is { } start && KeyOrder.Instance.Compare(item.Key, start) <= 0)
                    {
                        canSkip = false; // the store has ignored where to start, and lists everything again
                        continue;
                    }

                    yield return item;
                }

                if (canSkip && page is { IsLast: false, Items: [.., { } end] } && folderOf!(end.Key) is { } folder)
                {
                    behind = folder + Last;
                    query = query with { StartAfter = behind };
                    break;
                }
            }
        }
        while (behind is not null);
    }
}
