using System.Text.Json;
using Transfer.S3.Concurrency;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>One end of a job.</summary>
internal sealed class FinishRun(JobFolder folder, JobPlan plan, PlanExtra extra, JobSides sides, Pairing sync, TransferRun writing)
{
    /// <summary>The number of shards that are reviewed at the same time.</summary>
    private const int MaxReviews = 8;

    private readonly TimeProvider _time = sides.Client.Context.Time;

    public async Task<JobSummary> FinishAsync(CancellationToken cancellationToken)
    {
        FinishReport report = new(plan);
        using FileStream lines = TemporaryFile.CreateIn(null, "report");
        using HugeObjects huge = new();
        await foreach (ShardReview review in ReviewAsync(cancellationToken).ConfigureAwait(false))
        {
            using (review)
            {
                report.Add(review);
                huge.Add(review);
                await review.CopyToAsync(lines, cancellationToken).ConfigureAwait(false);
            }
        }

        await CompleteAsync(huge, report, lines, cancellationToken).ConfigureAwait(false);
        if (extra.RefusedSha256 is { } sha256)
        {
            using ShardFile refused = await ShardFile.ReadAsync(folder, JobNames.Refused(plan.Id), sha256, cancellationToken).ConfigureAwait(false);
            foreach (string line in refused.ReadLines())
            {
                report.AddRefused(line);
                Write(lines, line);
            }
        }

        await DeleteAsync(report, lines, cancellationToken).ConfigureAwait(false);
        (long aborted, long others) = report.HasAll ? await AbortAsync(cancellationToken).ConfigureAwait(false) : (0, 0);
        lines.Position = 0;
        await folder.WriteAsync(JobNames.Report, lines, cancellationToken).ConfigureAwait(false);
        JobSummary summary = report.ToSummary(_time.GetUtcNow()) with { AbortedUploads = aborted, OtherUploads = others };
        await folder.WriteAsync(JobNames.Summary, JsonSerializer.SerializeToUtf8Bytes(summary, JobJson.Default.JobSummary), cancellationToken).ConfigureAwait(false);
        await PlanFiles.DeleteAsync(folder, JobNames.Shards, id => id != plan.Id, cancellationToken).ConfigureAwait(false); // of planners that were not the first
        return summary;
    }

    /// <summary>Finds out what the end of the job would do, and writes nothing.</summary>
    public async Task<JobSummary> PreviewAsync(CancellationToken cancellationToken)
    {
        FinishReport report = new(plan);
        using HugeObjects huge = new();
        await foreach (ShardReview review in ReviewAsync(cancellationToken).ConfigureAwait(false))
        {
            using (review)
            {
                report.Add(review);
                huge.Add(review);
            }
        }

        long completions = 0;
        StoreUsage usage = default;
        StoreUsage write = folder.Client is null ? default : RequestKind.PutObject.ToUsage();
        HugeObjectCompletion end = new(folder, plan, sync, writing);
        foreach (int number in huge.Numbers)
        {
            IReadOnlyList<ReviewedPiece> pieces = huge.Read(number);
            if (await end.FindEndAsync(pieces, cancellationToken).ConfigureAwait(false) is var (line, isChanged))
            {
                report.AddObject(line, isChanged);
                continue;
            }

            completions++;
            report.AddObject(end.Planned(pieces), isChanged: false);
            usage += HugeObjectCompletion.Estimate(pieces[^1].Item.Piece!.Last) + write;
        }

        if (plan.PublishesAllAtOnce && !report.HasAll)
        {
            (completions, usage) = (0, default); // nothing is published before everything is ready
        }

        if (extra.RefusedSha256 is { } refusals)
        {
            using ShardFile refused = await ShardFile.ReadAsync(folder, JobNames.Refused(plan.Id), refusals, cancellationToken).ConfigureAwait(false);
            foreach (string refusal in refused.ReadLines())
            {
                report.AddRefused(refusal);
            }
        }

        bool deletes = extra.DeletionsSha256 is not null && (report.HasAll || extra.DeletesDespiteFailures);
        report.Withheld = extra.DeletionsSha256 is not null && !deletes ? plan.Deletions : report.Withheld;
        long deleted = 0;
        if (deletes)
        {
            using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Deletions(plan.Id), extra.DeletionsSha256!, cancellationToken).ConfigureAwait(false);
            foreach (TreeEntry target in file.ReadItems().Select(item => item.ToTarget(plan.Target)!).Where(static target => !target.IsFolder))
            {
                usage += sync.GetDeletionUsage(target, deleted++, plan.Deletions);
            }
        }

        (long aborted, long others) = report.HasAll ? await AbortAsync(cancellationToken, dryRun: true).ConfigureAwait(false) : (0, 0);
        aborted = Math.Max(0, aborted - completions); // the uploads that are completed before are still open
        usage += (RequestKind.AbortMultipartUpload.ToUsage() * aborted) + (write * 2); // the report and the summary
        return report.ToSummary(_time.GetUtcNow()) with { Completions = completions, Deleted = deleted, AbortedUploads = aborted, OtherUploads = others, Estimate = usage };
    }

    public async Task<JobPlan?> PlanRetryAsync(JobFolder retry, int? shards, CancellationToken cancellationToken)
    {
        if (retry.Overlaps(plan.Source) || retry.Overlaps(plan.Target))
        {
            throw new TransferException($"The folder of the new job, {retry.Address}, and the source or the target of the job overlap. Use a folder that is in neither of them.");
        }

        await PlanWriter.CheckAsync(retry, cancellationToken).ConfigureAwait(false);

        using RetryReader reader = new(folder, plan, extra, sides, sync, writing);
        await reader.ReadAsync(ReviewAsync(cancellationToken), cancellationToken).ConfigureAwait(false);
        if (reader.Content.Items.Count == 0)
        {
            return reader.Content.Refusals.Count == 0 ? null : throw new TransferException(
                $"Everything that {folder.Address} has planned is done. Names that its plan left out can't be planned by a retry: see {JobNames.Report} for the reasons, and plan the copy again.");
        }

        using ShardFile? deletions = extra.DeletionsSha256 is { } sha256
            ? await ShardFile.ReadAsync(folder, JobNames.Deletions(plan.Id), sha256, cancellationToken).ConfigureAwait(false)
            : null;
        (reader.Content.Deletions, reader.Content.Deleted) = (deletions?.ReadItems() ?? [], plan.Deletions);
        PlanWriter writer = new(retry, reader.Content, shards, workers: 1);
        JobPlanDocument next = await writer.WriteAsync(_time, cancellationToken).ConfigureAwait(false);
        return await writer.CommitAsync(next, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reviews all shards, in order.</summary>
    private async IAsyncEnumerable<ShardReview> ReviewAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ResultIndex index = await ResultIndex.ReadAsync(folder, plan, cancellationToken).ConfigureAwait(false);
        TargetProof proof = new(sync, plan);
        IAsyncEnumerable<ShardReview> reviews = Ahead.SelectAsync(
            Enumerable.Range(0, plan.Shards.Count).ToAsyncEnumerable(),
            MaxReviews,
            (shard, token) => Task.Run(() => ShardReview.RunAsync(folder, plan, sync, proof, writing, shard, index, token), CancellationToken.None),
            cancellationToken);
        await foreach (ShardReview review in reviews.ConfigureAwait(false))
        {
            yield return review;
        }
    }

    /// <summary>Completes the uploads of huge objects.</summary>
    private async Task CompleteAsync(HugeObjects huge, FinishReport report, FileStream lines, CancellationToken cancellationToken)
    {
        HugeObjectCompletion end = new(folder, plan, sync, writing);
        if (plan.PublishesAllAtOnce)
        {
            using JobPublication publication = new(plan, extra, sync, end);
            await publication.RunAsync(huge, Ended, cancellationToken).ConfigureAwait(false);
            report.PublishWindow = publication.Window;
            return;
        }

        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxReviews, CancellationToken = cancellationToken };
        (JobLine Line, bool IsChanged)[] ends = new (JobLine, bool)[huge.Numbers.Count];
        await Parallel.ForEachAsync(
            huge.Numbers.Index(), parallel, async (one, token) => ends[one.Index] = await end.RunAsync(huge.Read(one.Item), token).ConfigureAwait(false)).ConfigureAwait(false);
        foreach ((JobLine line, bool isChanged) in ends)
        {
            Ended(line, isChanged);
        }

        void Ended(JobLine line, bool isChanged)
        {
            report.AddObject(line, isChanged);
            Write(lines, JsonSerializer.Serialize(line, JobJson.Default.JobLine));
        }
    }

    /// <summary>Deletes what the plan found at the target and not at the source, if everything else is done.</summary>
    private async Task DeleteAsync(FinishReport report, FileStream lines, CancellationToken cancellationToken)
    {
        if (extra.DeletionsSha256 is not { } sha256)
        {
            return;
        }

        if (!report.HasAll && !extra.DeletesDespiteFailures)
        {
            report.Withheld = plan.Deletions;
            return;
        }

        using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Deletions(plan.Id), sha256, cancellationToken).ConfigureAwait(false);

        // Excluded targets can exist at the source.
        SourceReview? review = extra.DeletesExcluded ? null : new SourceReview(sync, excluded: false);
        await sync.Target.DeleteAsync(file.ReadItems().Select(item => item.ToTarget(plan.Target)!), review, Ended, cancellationToken).ConfigureAwait(false);

        void Ended(TreeEntry entry, Exception? error)
        {
            JobLine line = new()
            {
                Command = "finish",
                Operation = "delete",
                Time = _time.GetUtcNow().UtcDateTime,
                Status = error is null ? JobLine.Done : error is TransferException { Error: TransferError.PreconditionFailed } ? JobLine.Conflict : JobLine.Failed,
                Target = plan.Target.GetAddress(entry.Name),
                Bytes = entry.Length,
                TargetETagBefore = entry.ETag,
                Error = error?.Message,
                RequestId = (error as TransferException)?.RequestId,
            };
            report.AddDeletion(line);
            Write(lines, JsonSerializer.Serialize(line, JobJson.Default.JobLine));
        }
    }

    /// <summary>Aborts the incomplete uploads that workers have left.</summary>
    /// <returns>Their number, and that of others to planned keys.</returns>
    public Task<(long Aborted, long Others)> AbortAsync(CancellationToken cancellationToken, bool dryRun = false)
        => plan.Target.IsLocal ? Task.FromResult((0L, 0L)) : new LeftoverUploads(folder, plan, writing).AbortAsync(dryRun, cancellationToken);

    private static void Write(FileStream lines, string line) => lines.Write(System.Text.Encoding.UTF8.GetBytes(line + "\n"));
}
