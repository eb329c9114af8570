using Transfer.S3.Download;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Finds out whether a target is what an item makes, whoever made it.</summary>
internal sealed class TargetProof(SyncJob sync, JobPlan plan, PlanExtra extra, TransferRun reading)
{
    /// <param name="item">The item.</param>
    /// <param name="target">The target; null if there is none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>What shows that the target is what the item makes; null if nothing does. And how the source has changed since it was planned; null if it hasn't.</returns>
    public async Task<(string? Reason, string? SourceChange)> FindAsync(JobItem item, SyncEntry? target, CancellationToken cancellationToken)
    {
        SyncEntry source = item.ToSource(plan.Source);
        string? change = await FindSourceChangeAsync(item, source, cancellationToken).ConfigureAwait(false);
        if (change is not null || target?.Length != item.Bytes)
        {
            return (null, change);
        }

        SyncAction? known = item.Bytes == 0 ? new SyncAction { Kind = SyncActionKind.Keep, Name = item.Name, Bytes = 0, Reason = "size" } : null;
        SyncAction action = known ?? (await sync.CompareAsync(source, target, cancellationToken).ConfigureAwait(false)).Action;
        change = await FindSourceChangeAsync(item, source, cancellationToken).ConfigureAwait(false);
        return (action.Kind == SyncActionKind.Keep && change is null ? action.Reason : null, change);
    }

    /// <summary>Finds out how the source has changed since it was planned.</summary>
    /// <returns>Null if it is still the same.</returns>
    private async Task<string?> FindSourceChangeAsync(JobItem item, SyncEntry source, CancellationToken cancellationToken)
    {
        if (plan.Source is { Bucket: { } bucket, Prefix: { } prefix })
        {
            ObjectAddress address = new(bucket, prefix + item.Name, item.Version, extra.Options.SourceAccess);
            try
            {
                ObjectInfo info = await ObjectLookup.RunAsync(reading, address, cancellationToken).ConfigureAwait(false);
                return info.Length == item.Bytes && (item.ETag is null || ETags.AreSame(info.ETag, item.ETag)) ? null : "replaced";
            }
            catch (TransferException e) when (e.IsOfMissingObject)
            {
                return "deleted";
            }
        }

        return source.IsFolder ? (Directory.Exists(source.Path) ? null : "deleted")
            : sync.StateOfSource(source) is not { } state ? "deleted"
            : source.Pin is { } pin && state.IsSame(pin) ? null
            : "changed";
    }
}
