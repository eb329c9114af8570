using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>Plans everything again that is not done, bound to the states that the sources and the targets have now.</summary>
internal sealed class RetryReader(JobFolder folder, JobPlan plan, PlanExtra extra, JobSides sides, Pairing sync, TransferRun writing) : IDisposable
{
    /// <summary>The number of items that are looked up at the same time.</summary>
    private const int Batch = 32;

    public PlanContent Content { get; } = new(sides, sides.Client.Context.Settings.StateDirectory)
    {
        IsSync = plan.IsSync,
        SkipsExisting = extra.SkipsExisting,
        DeletesDespiteFailures = extra.DeletesDespiteFailures,
        DeletesExcluded = extra.DeletesExcluded,
        Options = extra.Options,
        SplitBytes = extra.SplitBytes,
        Withheld = plan.Withheld,
    };

    public async Task ReadAsync(IAsyncEnumerable<ShardReview> reviews, CancellationToken cancellationToken)
    {
        if (plan.PublishesAllAtOnce)
        {
            throw new TransferException($"{folder.Address} publishes all objects at once, so what is left can't be planned as a job of its own. Run the shards again that have failures, or plan the whole synchronization again.");
        }

        using HugeObjects huge = new();
        await foreach (ShardReview review in reviews.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            using (review)
            {
                huge.Add(review);
                await AddAsync(review.ReadLeft(), cancellationToken).ConfigureAwait(false);
            }
        }

        HugeObjectCompletion completion = new(folder, plan, sync, writing);
        foreach (int number in huge.Numbers)
        {
            IReadOnlyList<ReviewedPiece> pieces = huge.Read(number);
            JobItem item = pieces[0].Item with { Piece = null };
            (JobLine line, _) = await completion.FindResultAsync(pieces, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException($"All parts of {plan.Target.GetAddress(item.Name)} are there, and it isn't complete yet. Finish the job before what is left is planned again.");
            if (!line.IsDone)
            {
                // The parts that exist belong to the upload of this job, which can still be completed after its shards have run again.
                await AddAsync([item], cancellationToken).ConfigureAwait(false);
            }
        }

        await AddRefusalsAsync(cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => Content.Dispose();

    /// <summary>Adds the names that this job could not plan. No job of theirs has a result for them, so nothing is deleted.</summary>
    private async Task AddRefusalsAsync(CancellationToken cancellationToken)
    {
        if (extra.RefusedSha256 is { } sha256)
        {
            using ShardFile refused = await ShardFile.ReadAsync(folder, JobNames.Refused(plan.Id), sha256, cancellationToken).ConfigureAwait(false);
            foreach (string line in refused.ReadLines())
            {
                Content.Refuse(line);
            }
        }
    }

    private async Task AddAsync(IEnumerable<JobItem> left, CancellationToken cancellationToken)
    {
        foreach (JobItem[] items in left.Chunk(Batch))
        {
            foreach (JobItem item in await Task.WhenAll(items.Select(item => LookUpAsync(item, cancellationToken))).ConfigureAwait(false))
            {
                if (Content.SkipsExisting && item.Target is not null)
                {
                    Content.Kept++; // others have created it since the plan
                }
                else
                {
                    Content.Add(item);
                }
            }
        }
    }

    /// <summary>Finds the states that both sides have now. An item whose source is gone, or that can't be looked up, keeps its own, and its worker says what is wrong.</summary>
    private async Task<JobItem> LookUpAsync(JobItem item, CancellationToken cancellationToken)
    {
        try
        {
            if (await sync.Source.FindAgainAsync(item.ToSource(plan.Source), cancellationToken).ConfigureAwait(false) is not { } source)
            {
                return item;
            }

            TreeEntry? target = await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false);
            JobItem now = source.State is { } state ? item.For(state) : item with { Bytes = source.Length, ETag = source.ETag };
            return now with { Target = target is null ? null : JobTarget.From(target) };
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return item;
        }
    }
}
