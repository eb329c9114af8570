using System.Net;
using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Lists the objects under a prefix.</summary>
internal static class ObjectListing
{
    /// <summary>The number of keys that an error names.</summary>
    private const int MaxNamed = 10;

    /// <param name="run">The transfer.</param>
    /// <param name="query">The objects to list.</param>
    /// <param name="outside">Receives each object that the store lists although its key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static IAsyncEnumerable<ListedObject> ReadAsync(TransferRun run, ListQuery query, Action<ListedObject> outside, CancellationToken cancellationToken)
        => query is { Delimiter: { } delimiter } && (query.AsOf is not null || query.Versions)
            ? PastLevel.ReadAsync(run, query with { Delimiter = null }, delimiter, outside, cancellationToken)
            : ReadAllAsync(run, query, outside, cancellationToken);

    private static async IAsyncEnumerable<ListedObject> ReadAllAsync(
        TransferRun run, ListQuery query, Action<ListedObject> outside, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (ListedPage page in PagesAsync(run, query, cancellationToken).ConfigureAwait(false))
        {
            foreach (ListedObject item in page.Outside)
            {
                outside(item);
            }

            foreach (ListedObject item in page.Items)
            {
                yield return item;
            }
        }
    }

    /// <summary>Lists the objects under a prefix by pages. If one listing is slower than its use, ranges of keys are listed at the same time.</summary>
    public static IAsyncEnumerable<ListedPage> PagesAsync(TransferRun run, ListQuery query, CancellationToken cancellationToken)
    {
        if (query.AsOf is { } time)
        {
            return PastListing.ReadAsync(PagesAsync(run, query with { AsOf = null, Versions = true }, cancellationToken), query, time, cancellationToken);
        }

        // Levels contain folders, versions share keys, and directory buckets have no order.
        bool canDivide = query is { Delimiter: null, Versions: false } && PageRules.GetObjects(query.Bucket).IsOrdered;
        return canDivide
            ? RangedListing.ReadAsync(query, new ListingRequests(RequestAsync, () => run.Client.Queue.GetLookupLimit(run.Reporter.Flow.Direction), run.Client.Pool.Budget, run.Client.Time), cancellationToken)
            : ReadInOrderAsync(cancellationToken);

        async IAsyncEnumerable<ListedPage> ReadInOrderAsync([EnumeratorCancellation] CancellationToken stop)
        {
            await foreach (Page<ListedObject> page in Pages.ReadAsync<ListedObject>(async (after, stopping) => await RequestAsync(query, after, stopping).ConfigureAwait(false), stop).ConfigureAwait(false))
            {
                yield return new ListedPage(query.Versions ? ByKey(page.Items) : page.Items, page.Outside, page.Next is null);
            }
        }

        Task<Page<ListedObject>> RequestAsync(ListQuery range, PageEnd? after, CancellationToken stopping) => RequestPageAsync(run, range, after, stopping);
    }

    /// <summary>Brings the versions of each key together: some stores list the delete markers of a page behind its versions.</summary>
    private static IReadOnlyList<ListedObject> ByKey(IReadOnlyList<ListedObject> versions)
    {
        for (int i = 1; i < versions.Count; i++)
        {
            if (KeyOrder.Instance.Compare(versions[i - 1].Key, versions[i].Key) > 0)
            {
                return [.. versions.OrderBy(static version => version.Key, KeyOrder.Instance)];
            }
        }

        return versions;
    }

    /// <summary>Requests one page of a listing.</summary>
    /// <param name="run">The transfer.</param>
    /// <param name="query">The objects to list.</param>
    /// <param name="after">The end of the page before; null for the first page.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<Page<ListedObject>> RequestPageAsync(TransferRun run, ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        try
        {
            return await run.SendAsync(token => run.Client.Wire.ListAsync(query, after, token), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            ObjectAddress address = new(query.Bucket, query.Prefix);
            throw new TransferException($"{address}: the listing {(query.Versions ? "of versions " : string.Empty)}failed: {e.Message}{e.AttemptsText}", address, e)
            {
                Hint = e.Hint ?? (query.Versions ? GetHint(e) : null),
            };
        }
    }

    /// <summary>Gets what a listing of versions needs, if the store has refused or not understood it.</summary>
    private static string? GetHint(WireException e) => e.StatusCode switch
    {
        HttpStatusCode.Forbidden => "a listing of versions needs the permission s3:ListBucketVersions",
        HttpStatusCode.BadRequest or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented or HttpStatusCode.OK => "the store may not support versions (ListObjectVersions)",
        _ => null,
    };

    /// <summary>Lists the selected objects, and throws at the end if the store listed some that are not under the prefix, too.</summary>
    public static async IAsyncEnumerable<ListedObject> ReadAsync(
        TransferRun run, ListQuery query, PathFilter filter, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        List<ListedObject> outside = [];
        long count = 0;
        int folderLength = query.Prefix.LastIndexOf('/') + 1;
        IAsyncEnumerable<ListedObject> listed = query.Delimiter is null
            ? SelectedListing.ReadAsync(run, query, filter, folderLength, Remember, cancellationToken)
            : ReadAsync(run, query, Remember, cancellationToken);
        await foreach (ListedObject item in listed.ConfigureAwait(false))
        {
            if (filter.Takes(item, folderLength))
            {
                yield return item;
            }
        }

        if (count > 0)
        {
            ObjectAddress address = new(query.Bucket, query.Prefix);
            string names = string.Join(", ", outside.Select(static item => $"'{item.Key}'"));
            throw new TransferException($"{address}: the store also listed {count} keys that are not under the prefix: {names}{(count > outside.Count ? ", ..." : string.Empty)}")
            {
                Bucket = query.Bucket,
                Key = query.Prefix,
            };
        }

        void Remember(ListedObject item)
        {
            count++;
            if (outside.Count < MaxNamed)
            {
                outside.Add(item);
            }
        }
    }

    /// <summary>Gets the error for an object that the store lists although its key doesn't begin with the prefix.</summary>
    public static TransferException NotUnder(ListQuery query, ListedObject item)
        => new($"{new ObjectAddress(query.Bucket, item.Key)} is not under '{query.Prefix}', but the store listed it there.") { Bucket = query.Bucket, Key = item.Key };
}
