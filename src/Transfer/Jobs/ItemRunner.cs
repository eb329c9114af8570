using Transfer.S3.Download;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// Runs one item. The target must be in the planned state. If it isn't, it is compared with what the item makes: another attempt may have made it, whose result is
/// lost.
/// </summary>
internal sealed class ItemRunner(SyncJob sync, JobPlan plan, PlanExtra extra, TransferRun reading, TransferRun writing)
{
    public async Task<JobLine> RunAsync(JobItem item, CancellationToken cancellationToken)
    {
        SyncEntry source = item.ToSource(plan.Source);
        JobLine line = JobLine.From(item, plan, JobLine.Done);
        try
        {
            SyncCopy copy = await sync.CopyAsync(source, item.ToTarget(plan.Target), cancellationToken).ConfigureAwait(false);
            return line with
            {
                Bytes = copy.Bytes,
                TargetETag = copy.ETag,
                Checksum = copy.Verdict is { } verdict ? JobChecksum.From(verdict) : null,
                Lost = copy.Lost.Count > 0 ? copy.Lost : null,
            };
        }
        catch (Exception e) when (SyncEngine.IsConflict(e))
        {
            return await ReviewAsync(item, source, line, e, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (SyncEngine.IsOfObject(e))
        {
            return line.With(e, JobLine.Failed);
        }
    }

    /// <summary>Decides whether the target is already what the item makes.</summary>
    private async Task<JobLine> ReviewAsync(JobItem item, SyncEntry source, JobLine line, Exception conflict, CancellationToken cancellationToken)
    {
        try
        {
            if (await FindTargetAsync(item, cancellationToken).ConfigureAwait(false) is { } target && target.Length == item.Bytes && await HasSourceAsync(item, source, cancellationToken).ConfigureAwait(false))
            {
                SyncAction? known = item.Bytes == 0 ? new SyncAction { Kind = SyncActionKind.Keep, Name = item.Name, Bytes = 0, Reason = "size" } : null;
                SyncAction action = known ?? (await sync.CompareAsync(source, target, cancellationToken).ConfigureAwait(false)).Action;
                if (action.Kind == SyncActionKind.Keep && await HasSourceAsync(item, source, cancellationToken).ConfigureAwait(false))
                {
                    return line with { Status = JobLine.Already, TargetETag = target.ETag, Reason = action.Reason };
                }
            }

            return line.With(conflict, JobLine.Conflict);
        }
        catch (Exception e) when (SyncEngine.IsOfObject(e))
        {
            return line.With(e, SyncEngine.IsConflict(e) ? JobLine.Conflict : JobLine.Failed);
        }
    }

    private async Task<SyncEntry?> FindTargetAsync(JobItem item, CancellationToken cancellationToken)
    {
        if (plan.Target.IsLocal)
        {
            FileInfo file = new(plan.Target.GetAddress(item.Name));
            return file is { Exists: true, LinkTarget: null } ? new SyncEntry(item.Name, file.Length) { Path = file.FullName, LastWrite = file.LastWriteTimeUtc.Ticks } : null;
        }

        ObjectInfo info = await ObjectLookup.RunAsync(writing, sync.Address with { Key = plan.Target.Prefix + item.Name }, cancellationToken).ConfigureAwait(false);
        return new SyncEntry(item.Name, info.Length) { ETag = info.ETag };
    }

    /// <summary>Returns whether the source is still what was planned.</summary>
    private async Task<bool> HasSourceAsync(JobItem item, SyncEntry source, CancellationToken cancellationToken)
    {
        if (plan.Source is { Bucket: { } bucket, Prefix: { } prefix })
        {
            ObjectAddress address = new(bucket, prefix + item.Name, item.Version, extra.Options.SourceAccess);
            ObjectInfo info = await ObjectLookup.RunAsync(reading, address, cancellationToken).ConfigureAwait(false);
            return info.Length == item.Bytes && (item.ETag is null || ETags.AreSame(info.ETag, item.ETag));
        }

        if (source.IsFolder)
        {
            return Directory.Exists(source.Path);
        }

        return source.Pin is { } pin && sync.StateOfSource(source)?.IsSame(pin) == true;
    }
}
