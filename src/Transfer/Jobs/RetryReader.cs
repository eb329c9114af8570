using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Plans what has failed again, bound to the states that the sources and the targets have now.</summary>
internal sealed class RetryReader(JobFolder folder, JobPlan plan, PlanExtra extra, JobSides sides, SyncJob sync, TransferRun reading, TransferRun writing) : IDisposable
{
    /// <summary>The number of items that are looked up at the same time.</summary>
    private const int Batch = 32;

    public PlanContent Content { get; } = new(sides, sides.Client.Context.Settings.StateDirectory)
    {
        IsSync = plan.IsSync,
        DeletesDespiteFailures = extra.DeletesDespiteFailures,
        DeletesExcluded = extra.DeletesExcluded,
        Options = extra.Options,
        SplitBytes = extra.SplitBytes,
        Withheld = plan.Withheld,
    };

    public async Task ReadAsync(IAsyncEnumerable<ShardReview> reviews, CancellationToken cancellationToken)
    {
        using HugeObjects huge = new();
        await foreach (ShardReview review in reviews.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            using (review)
            {
                huge.Add(review);
                await AddAsync(review.ReadLeft(), cancellationToken).ConfigureAwait(false);
            }
        }

        foreach (int number in huge.Numbers)
        {
            IReadOnlyList<ReviewedPiece> pieces = huge.Read(number);
            JobLine? left = HugeObjectCompletion.FindUnfinished(pieces) ?? await HugeObjectCompletion.FindCompletionAsync(folder, plan, number, cancellationToken).ConfigureAwait(false);
            if (left?.Status is JobLine.Failed or JobLine.Missing)
            {
                // The parts that exist belong to the upload of this job, which can still be completed after its shards have run again.
                await AddAsync([pieces[0].Item with { Piece = null }], cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public void Dispose() => Content.Dispose();

    private async Task AddAsync(IEnumerable<JobItem> left, CancellationToken cancellationToken)
    {
        foreach (JobItem[] items in left.Chunk(Batch))
        {
            (JobItem Item, Exception? Error)[] found = await Task.WhenAll(items.Select(item => LookUpAsync(item, cancellationToken))).ConfigureAwait(false);
            foreach ((JobItem item, Exception? error) in found)
            {
                if (error is null)
                {
                    Content.Add(item);
                }
                else
                {
                    Content.Refuse(item.Name, item.Bytes, error, isConflict: SyncEngine.IsConflict(error));
                }
            }
        }
    }

    private async Task<(JobItem Item, Exception? Error)> LookUpAsync(JobItem item, CancellationToken cancellationToken)
    {
        try
        {
            JobItem now = await FindSourceAsync(item, cancellationToken).ConfigureAwait(false);
            return (now with { Target = await FindTargetAsync(item, cancellationToken).ConfigureAwait(false) }, null);
        }
        catch (Exception e) when (SyncEngine.IsOfObject(e))
        {
            return (item, e);
        }
    }

    private async Task<JobItem> FindSourceAsync(JobItem item, CancellationToken cancellationToken)
    {
        if (plan.Source is { Bucket: { } bucket, Prefix: { } prefix })
        {
            ObjectAddress address = new(bucket, prefix + item.Name, item.Version, extra.Options.SourceAccess);
            ObjectInfo info = await ObjectLookup.RunAsync(reading, address, cancellationToken).ConfigureAwait(false);
            return item with { Bytes = info.Length, ETag = info.ETag };
        }

        string path = plan.Source.GetAddress(item.Name);
        if (item.Name.EndsWith('/') && Directory.Exists(path))
        {
            return item;
        }

        return sync.StateOfSource(new SyncEntry(item.Name, item.Bytes) { Path = path }) is { } state
            ? item.For(state)
            : throw new TransferException($"'{path}' does not exist anymore.");
    }

    private async Task<JobTarget?> FindTargetAsync(JobItem item, CancellationToken cancellationToken)
    {
        if (plan.Target.IsLocal)
        {
            return FileIdentity.At(plan.Target.GetAddress(item.Name), followsLinks: false) is { } file ? JobTarget.From(file) : null;
        }

        try
        {
            ObjectInfo info = await ObjectLookup.RunAsync(writing, sync.Address with { Key = plan.Target.Prefix + item.Name }, cancellationToken).ConfigureAwait(false);
            return new JobTarget(info.Length, info.ETag);
        }
        catch (TransferException e) when (SyncEngine.IsConflict(e))
        {
            return null;
        }
    }
}
