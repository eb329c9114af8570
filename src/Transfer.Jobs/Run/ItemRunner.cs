using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>
/// Runs one item. The target must be in the planned state. If it isn't, it is compared with what the item makes: another attempt may have made it, whose result is
/// lost.
/// </summary>
internal sealed class ItemRunner(Pairing sync, JobPlan plan, TargetProof proof)
{
    public async Task<JobLine> RunAsync(JobItem item, CancellationToken cancellationToken)
    {
        TreeEntry source = item.ToSource(plan.Source);
        JobLine line = JobLine.From(item, plan, JobLine.Done);
        try
        {
            ItemCopy copy = await sync.CopyAsync(source, TargetState.Listed(item.ToTarget(plan.Target)), cancellationToken).ConfigureAwait(false);
            return line with
            {
                Bytes = copy.Bytes,
                TargetETag = copy.Target is null ? null : copy.ETag, // otherwise, it isn't known to be the content of the source
                File = copy.File is { } file ? JobTarget.From(file) : null,
                Checksum = copy.Verdict is { } verdict ? JobChecksum.From(verdict) : null,
                Lost = copy.Lost.Count > 0 ? copy.Lost : null,
            };
        }
        catch (Exception e) when (TreeSync.IsConflict(e) || (TreeSync.IsOfObject(e) && source.Path is { } path && !LocalState.Exists(path)))
        {
            return await ReviewAsync(item, line, e, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return line.With(e, JobLine.Failed);
        }
    }

    /// <summary>Decides whether the target is already what the item makes. If it isn't, the line says what has changed.</summary>
    private async Task<JobLine> ReviewAsync(JobItem item, JobLine line, Exception conflict, CancellationToken cancellationToken)
    {
        try
        {
            TreeEntry? target = await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false);
            (string? reason, string? changed) = await proof.FindAsync(item, target, cancellationToken).ConfigureAwait(false);
            if (reason is not null)
            {
                return line with { Status = JobLine.Already, TargetETag = target!.ETag, File = target.State is { } there ? JobTarget.From(there) : null, Reason = reason };
            }

            string[] changes = [.. new[] { Describe(line.Source, changed), Describe(line.Target, TargetState.FindChange(item.ToTarget(plan.Target), target)) }.OfType<string>()];
            return line.With(conflict, JobLine.Conflict) with { Error = changes.Length > 0 ? string.Join(' ', changes) : conflict.Message };
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return TreeSync.IsConflict(e) ? line.With(conflict, JobLine.Conflict) : line.With(e, JobLine.Failed);
        }
    }

    private static string? Describe(string? address, string? change) => change is null ? null : $"{address} was {change} after the job was planned.";
}
