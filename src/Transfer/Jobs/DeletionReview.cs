using Transfer.S3.Download;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Finds targets to delete whose source has appeared since the plan. Much time can have passed.</summary>
internal sealed class DeletionReview(JobPlan plan, PlanExtra extra, JobSides sides, TransferRun reading)
{
    private const int MaxLookups = 32;

    public async Task<HashSet<string>> FindAppearedAsync(IEnumerable<JobItem> items, CancellationToken cancellationToken)
    {
        HashSet<string> appeared = [];
        Lock gate = new();
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = Math.Min(MaxLookups, sides.Client.Context.Settings.MaxConcurrency), CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(items, parallel, async (item, token) =>
        {
            if (await ExistsAsync(item, token).ConfigureAwait(false))
            {
                lock (gate)
                {
                    appeared.Add(item.Name);
                }
            }
        }).ConfigureAwait(false);
        return appeared;
    }

    private async Task<bool> ExistsAsync(JobItem item, CancellationToken cancellationToken)
    {
        if (extra.DeletesExcluded || (item.Name.EndsWith('/') && plan.Target.IsLocal))
        {
            return false; // excluded targets can exist at the source, and folders are only deleted if they are empty
        }

        if (plan.Source is not { Bucket: { } bucket, Prefix: { } prefix })
        {
            return LocalState.Exists(plan.Source.GetAddress(item.Name));
        }

        try
        {
            await ObjectLookup.RunAsync(reading, new ObjectAddress(bucket, prefix + item.Name, null, extra.Options.SourceAccess), cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (SyncEngine.IsConflict(e))
        {
            return false;
        }
    }
}
