using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// Compares the targets of a shard with its results. Items in the order of their names are compared with a listing that begins at the first and ends at the last one.
/// Others are looked up.
/// </summary>
/// <param name="plan">The plan.</param>
/// <param name="sync">The sides.</param>
/// <param name="proof">Compares files that aren't in the state in which they got their names.</param>
/// <param name="run">The call at the target.</param>
/// <param name="lookups">The number of leading items that are not in order.</param>
internal sealed class TargetReview(JobPlan plan, Pairing sync, TargetProof proof, TransferRun run, long lookups) : IAsyncDisposable
{
    /// <summary>The number of listed objects between two items from which the listing begins again: the pages between them cost more.</summary>
    private const int MaxSkipped = 2_000;

    private IAsyncEnumerator<ListedObject>? _listing;
    private bool _hasCurrent;

    /// <summary>Finds out whether a target isn't as it was written anymore.</summary>
    /// <returns>How it has changed; null if it hasn't.</returns>
    public async ValueTask<string?> FindChangeAsync(JobItem item, JobLine line, long number, CancellationToken cancellationToken)
    {
        if (plan.Target.IsLocal)
        {
            return await FindChangeOfFileAsync(item, line, cancellationToken).ConfigureAwait(false);
        }

        TreeEntry? now = number < lookups || !PageRules.GetObjects(plan.Target.Bucket!).IsOrdered ? await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false)
            : await ListAsync(item, cancellationToken).ConfigureAwait(false);
        return FindChangeOfObject(item, line, now);
    }

    /// <summary>Finds out whether an object isn't as it was written anymore.</summary>
    /// <returns>How it has changed; null if it hasn't.</returns>
    public static string? FindChangeOfObject(JobItem item, JobLine line, TreeEntry? now)
        => now is null ? $"{line.Target} was deleted after it was written."
            : now.Length != item.Bytes || (line.TargetETag is not null && now.ETag is not null && !ETags.AreSame(now.ETag, line.TargetETag)) ? $"{line.Target} was replaced after it was written."
            : null;

    public ValueTask DisposeAsync() => _listing?.DisposeAsync() ?? ValueTask.CompletedTask;

    /// <summary>
    /// A file that isn't in the state of its result is compared by its content: a worker that ran at the same time can have written it again, and results of former versions
    /// have no state.
    /// </summary>
    private async Task<string?> FindChangeOfFileAsync(JobItem item, JobLine line, CancellationToken cancellationToken)
    {
        if (await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false) is not { } now)
        {
            return $"{line.Target} was deleted after it was written.";
        }

        if (now.IsFolder || (now.State is { } file && line.File?.Is(file) == true))
        {
            return null;
        }

        try
        {
            (string? reason, string? sourceChange) = await proof.FindAsync(item, now, cancellationToken).ConfigureAwait(false);
            return reason is not null ? null
                : sourceChange is null || now.Length != item.Bytes ? $"{line.Target} was replaced after it was written."
                : $"{line.Target} isn't in the state in which it was written, and can't be compared, because {line.Source} was {sourceChange}.";
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return $"{line.Target} isn't in the state in which it was written, and can't be compared: {e.Message}";
        }
    }

    private async ValueTask<TreeEntry?> ListAsync(JobItem item, CancellationToken cancellationToken)
    {
        string key = plan.Target.Prefix + item.Name;
        if (_listing is null)
        {
            // A listing can begin only after a key, so the first one is looked up.
            ListQuery query = new(plan.Target.Bucket!, plan.Target.Prefix!, sync.Address.Access) { StartAfter = key };
            _listing = ObjectListing.ReadAsync(run, query, one => throw ObjectListing.NotUnder(query, one), cancellationToken).GetAsyncEnumerator(cancellationToken);
            _hasCurrent = true;
            TreeEntry? first = await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false);
            _hasCurrent = await _listing.MoveNextAsync().ConfigureAwait(false);
            return first;
        }

        for (int skipped = 0; _hasCurrent && KeyOrder.Instance.Compare(_listing.Current.Key, key) < 0; skipped++)
        {
            if (skipped == MaxSkipped)
            {
                await _listing.DisposeAsync().ConfigureAwait(false);
                _listing = null;
                return await ListAsync(item, cancellationToken).ConfigureAwait(false);
            }

            _hasCurrent = await _listing.MoveNextAsync().ConfigureAwait(false);
        }

        return _hasCurrent && _listing.Current.Key == key ? new TreeEntry(item.Name, _listing.Current.Length) { ETag = _listing.Current.ETag } : null;
    }
}
