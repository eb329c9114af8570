using Transfer.S3.Directories;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// Finds targets by their names, in order. Pages of the listing answer for many names at once. Where they don't, because the names are far apart, each target is looked
/// up.
/// </summary>
/// <param name="sync">The direction.</param>
/// <param name="run">The call at the target.</param>
internal sealed class TargetPages(SyncJob sync, TransferRun run)
{
    /// <summary>The number of names that a page must answer for. Below that, lookups cost less.</summary>
    private const int MinAnswers = 16;

    private const int MaxLookups = 32;

    private Dictionary<string, ListedObject> _page = [];
    private string? _pageEnd;
    private bool _isLast;

    /// <summary>Finds targets.</summary>
    /// <param name="names">Names that follow those of the call before, in order.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A target or null for each name. A target that can't be looked up has the error.</returns>
    public async Task<SyncEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        SyncEntry?[] found = new SyncEntry?[names.Count];
        int next = Answer(names, 0, found);
        while (next < names.Count && CanList)
        {
            // A listing can begin only after a key, so the first one is looked up.
            Task<SyncEntry?> first = LookUpAsync(names[next], cancellationToken);
            Task page = ReadPageAsync(names[next], cancellationToken);
            await Task.WhenAll(first, page).ConfigureAwait(false);
            found[next] = await first.ConfigureAwait(false);
            int behind = Answer(names, next + 1, found);
            (bool isUseful, next) = (behind - next > MinAnswers, behind);
            if (!isUseful)
            {
                break;
            }
        }

        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxLookups, CancellationToken = cancellationToken };
        await Parallel.ForAsync(next, names.Count, parallel, async (i, token) => found[i] = await LookUpAsync(names[i], token).ConfigureAwait(false)).ConfigureAwait(false);
        return found;
    }

    private bool CanList => sync.Direction != TransferDirection.Download && PageRules.GetObjects(sync.Address.Bucket).IsOrdered;

    /// <summary>Answers for the names that the page covers.</summary>
    /// <returns>The index of the first name that it doesn't cover.</returns>
    private int Answer(IReadOnlyList<string> names, int first, SyncEntry?[] found)
    {
        int i = first;
        for (; i < names.Count && (_isLast || (_pageEnd is { } end && KeyOrder.Instance.Compare(sync.Address.Key + names[i], end) <= 0)); i++)
        {
            found[i] = _page.TryGetValue(sync.Address.Key + names[i], out ListedObject? listed) ? new SyncEntry(names[i], listed.Length) { ETag = listed.ETag, Listed = listed } : null;
        }

        return i;
    }

    /// <summary>Reads the page after a name.</summary>
    private async Task ReadPageAsync(string name, CancellationToken cancellationToken)
    {
        ListQuery query = new(sync.Address.Bucket, sync.Address.Key, sync.Address.Access) { StartAfter = sync.Address.Key + name };
        Page<ListedObject> page = await ObjectListing.RequestPageAsync(run, query, null, cancellationToken).ConfigureAwait(false);
        if (page.Outside is [{ } outside, ..])
        {
            throw ObjectListing.NotUnder(query, outside);
        }

        _page = page.Items.ToDictionary(static item => item.Key);
        _pageEnd = page.Items.Count > 0 ? page.Items[^1].Key : null;
        _isLast = page.Next is null;
    }

    private async Task<SyncEntry?> LookUpAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            return await sync.FindTargetAsync(name, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (SyncEngine.IsOfObject(e))
        {
            return new SyncEntry(name, 0) { Error = e };
        }
    }
}
