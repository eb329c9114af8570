using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// Finds objects by their keys, in order. Pages of the listing answer for many keys at once. Where they don't, because the keys are far apart, each object is looked
/// up. A page can be as old as this instance, so whoever needs the present state creates another one.
/// </summary>
/// <param name="run">The call.</param>
/// <param name="prefix">The bucket and the prefix of the keys, with the access options.</param>
internal sealed class ObjectFinder(TransferRun run, ObjectAddress prefix)
{
    /// <summary>The number of keys that a page must answer for. Below that, lookups cost less.</summary>
    private const int MinAnswers = 16;

    private const int MaxLookups = 32;

    private Dictionary<string, ListedObject> _page = [];
    private string? _pageEnd;
    private bool _isLast;
    private bool _canList = PageRules.GetObjects(prefix.Bucket).IsOrdered;

    /// <summary>Gets the requests that find a number of keys that are close together.</summary>
    public static StoreUsage Estimate(int keys)
        => keys > MinAnswers ? RequestKind.HeadObject.ToUsage() + RequestKind.ListObjects.ToUsage() : RequestKind.HeadObject.ToUsage() * keys;

    /// <summary>Finds objects.</summary>
    /// <param name="keys">Keys that follow those of the call before, in order.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<FoundObject[]> FindAsync(IReadOnlyList<string> keys, CancellationToken cancellationToken)
    {
        FoundObject[] found = new FoundObject[keys.Count];
        int next = Answer(keys, 0, found);
        while (keys.Count - next > MinAnswers && _canList)
        {
            // A listing can begin only after a key, so the first one is looked up.
            Task<FoundObject> first = LookUpAsync(keys[next], cancellationToken);
            Task page = ReadPageAsync(keys[next], cancellationToken);
            await Task.WhenAll(first, page).ConfigureAwait(false);
            found[next] = await first.ConfigureAwait(false);
            int behind = Answer(keys, next + 1, found);
            (bool isUseful, next) = (behind - next > MinAnswers, behind);
            if (!isUseful)
            {
                break;
            }
        }

        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxLookups, CancellationToken = cancellationToken };
        await Parallel.ForAsync(next, keys.Count, parallel, async (i, token) => found[i] = await LookUpAsync(keys[i], token).ConfigureAwait(false)).ConfigureAwait(false);
        return found;
    }

    /// <summary>Answers for the keys that the page covers.</summary>
    /// <returns>The index of the first key that it doesn't cover.</returns>
    private int Answer(IReadOnlyList<string> keys, int first, FoundObject[] found)
    {
        int i = first;
        for (; i < keys.Count && (_isLast || (_pageEnd is { } end && KeyOrder.Instance.Compare(keys[i], end) <= 0)); i++)
        {
            found[i] = new FoundObject(_page.GetValueOrDefault(keys[i]));
        }

        return i;
    }

    /// <summary>Reads the page after a key.</summary>
    private async Task ReadPageAsync(string key, CancellationToken cancellationToken)
    {
        ListQuery query = new(prefix.Bucket, prefix.Key, prefix.Access) { StartAfter = key };
        Page<ListedObject> page;
        try
        {
            page = await run.SendAsync(token => run.Client.Wire.ListAsync(query, null, token), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException)
        {
            _canList = false; // who can read objects can't always list them
            return;
        }

        if (page.Outside.Count > 0)
        {
            _canList = false; // a listing that isn't of the prefix tells nothing about it
            return;
        }

        _page = page.Items.ToDictionary(static item => item.Key);
        _pageEnd = page.Items.Count > 0 ? page.Items[^1].Key : null;
        _isLast = page.Next is null;
    }

    private async Task<FoundObject> LookUpAsync(string key, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo info = await ObjectLookup.RunAsync(run, prefix with { Key = key }, cancellationToken).ConfigureAwait(false);
            return new FoundObject(new ListedObject { Key = key, Length = info.Length, ETag = info.ETag, LastModified = info.LastModified, StorageClass = info.StorageClass });
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            return e.IsOfMissingObject ? default : new FoundObject(null, e);
        }
    }
}
