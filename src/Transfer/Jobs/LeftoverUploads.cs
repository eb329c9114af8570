using Transfer.Scheduling;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer.Jobs;

/// <summary>
/// The incomplete multipart uploads that killed workers have left: those of the keys of the job that were created after its plan, by the clock of the store.
/// </summary>
internal sealed class LeftoverUploads(JobFolder folder, JobPlan plan, TransferRun run)
{
    /// <summary>The store's clock and that of the planner can differ, and the store's times are whole seconds.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(1);

    /// <returns>The number of uploads that were aborted.</returns>
    public async Task<long> AbortAsync(CancellationToken cancellationToken)
    {
        List<UnfinishedUpload> found = [];
        UploadListing listing = new(run, plan.Target.Bucket!, plan.Target.Prefix!);
        await foreach (UnfinishedUpload upload in listing.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (upload.Initiated is null || upload.Initiated >= plan.Created - Tolerance)
            {
                found.Add(upload);
            }
        }

        long aborted = 0;
        HashSet<string> listed = [.. found.Select(static upload => upload.UploadId)];
        HashSet<string> own = found.Count == 0 ? [] : await FindOwnAsync([.. found.Select(static upload => upload.Key)], cancellationToken).ConfigureAwait(false);
        foreach (UnfinishedUpload upload in found.Where(upload => own.Contains(upload.Key)))
        {
            Exception? error = await MultipartAbort.RunAsync(run, new ObjectAddress(plan.Target.Bucket!, upload.Key), upload.UploadId).ConfigureAwait(false);
            aborted += error is null ? 1 : throw error;
        }

        await AbortSharedAsync(listed, cancellationToken).ConfigureAwait(false);
        return aborted;
    }

    /// <summary>Aborts the uploads of huge objects that the store doesn't list. It isn't known whether they exist.</summary>
    private async Task AbortSharedAsync(HashSet<string> listed, CancellationToken cancellationToken)
    {
        for (int number = 0; number < plan.SplitObjects; number++)
        {
            if (await JobUploads.FindAsync(folder, plan, number, cancellationToken).ConfigureAwait(false) is { } upload && !listed.Contains(upload.UploadId)
                && await HugeObjectEnd.FindEndAsync(folder, plan, number, cancellationToken).ConfigureAwait(false) is not { IsDone: true })
            {
                ObjectAddress address = new(plan.Target.Bucket!, upload.Key);
                Exception? error = await MultipartAbort.RunAsync(run, address, upload.UploadId).ConfigureAwait(false);
                if (error is not null)
                {
                    throw error;
                }
            }
        }
    }

    /// <summary>Finds the keys that are targets of the job.</summary>
    private async Task<HashSet<string>> FindOwnAsync(HashSet<string> keys, CancellationToken cancellationToken)
    {
        HashSet<string> own = [];
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Shard(plan.Id, shard), plan.Shards[shard].Sha256, cancellationToken).ConfigureAwait(false);
            own.UnionWith(file.ReadItems().Select(item => plan.Target.Prefix + item.Name).Where(keys.Contains));
        }

        return own;
    }
}
