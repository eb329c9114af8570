using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// The incomplete multipart uploads that killed workers have left: those whose IDs are in the folder of the job. Other programs can upload to the same keys, so what
/// isn't known to be the job's is only counted.
/// </summary>
internal sealed class LeftoverUploads(JobFolder folder, JobPlan plan, TransferRun run)
{
    /// <summary>The store's clock and that of the planner can differ, and the store's times are whole seconds.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(1);

    /// <param name="dryRun">Whether the uploads are only counted.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The number of uploads that were aborted, and the number of others to planned keys that were created after the plan.</returns>
    public async Task<(long Aborted, long Others)> AbortAsync(bool dryRun, CancellationToken cancellationToken)
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

        HashSet<string> recorded = found.Count == 0 ? [] : await FindRecordedAsync(cancellationToken).ConfigureAwait(false);
        await AddSharedAsync(found, recorded, dryRun, cancellationToken).ConfigureAwait(false);
        UnfinishedUpload[] own = [.. found.Where(upload => recorded.Contains(upload.UploadId))];
        foreach (UnfinishedUpload upload in dryRun ? [] : own)
        {
            await AbortAsync(upload.Key, upload.UploadId).ConfigureAwait(false);
        }

        HashSet<string> others = [.. found.Except(own).Select(static upload => upload.Key)];
        return (own.Length, others.Count == 0 ? 0 : await CountPlannedAsync(others, cancellationToken).ConfigureAwait(false));
    }

    private async Task AbortAsync(string key, string uploadId)
    {
        if (await MultipartAbort.RunAsync(run, new ObjectAddress(plan.Target.Bucket!, key), uploadId).ConfigureAwait(false) is { } error)
        {
            throw error;
        }
    }

    /// <summary>Adds the uploads of huge objects, and aborts those that the store doesn't list: it isn't known whether they exist.</summary>
    private async Task AddSharedAsync(List<UnfinishedUpload> found, HashSet<string> recorded, bool dryRun, CancellationToken cancellationToken)
    {
        HashSet<string> listed = [.. found.Select(static upload => upload.UploadId)];
        for (int number = 0; number < plan.SplitObjects; number++)
        {
            if (await JobUploads.FindAsync(folder, plan, number, cancellationToken).ConfigureAwait(false) is not { } upload)
            {
                continue;
            }

            recorded.Add(upload.UploadId);
            if (!dryRun && !listed.Contains(upload.UploadId) && await HugeObjectCompletion.FindCompletionAsync(folder, plan, number, cancellationToken).ConfigureAwait(false) is not { IsDone: true })
            {
                await AbortAsync(upload.Key, upload.UploadId).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Finds the uploads that were open when results were written.</summary>
    private async Task<HashSet<string>> FindRecordedAsync(CancellationToken cancellationToken)
    {
        HashSet<string> recorded = [];
        ResultIndex index = await ResultIndex.ReadAsync(folder, plan, cancellationToken).ConfigureAwait(false);
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            using ShardResults results = await ShardResults.ReadAsync(folder, index.GetSegments(shard), plan.Shards[shard].Items, cancellationToken).ConfigureAwait(false);
            recorded.UnionWith(results.OpenUploads);
        }

        return recorded;
    }

    /// <summary>Counts the keys that are targets of the job.</summary>
    private async Task<long> CountPlannedAsync(HashSet<string> keys, CancellationToken cancellationToken)
    {
        HashSet<string> planned = [];
        for (int shard = 0; shard < plan.Shards.Count; shard++)
        {
            using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Shard(plan.Id, shard), plan.Shards[shard].Sha256, cancellationToken).ConfigureAwait(false);
            planned.UnionWith(file.ReadItems().Select(item => plan.Target.Prefix + item.Name).Where(keys.Contains));
        }

        return planned.Count;
    }
}
