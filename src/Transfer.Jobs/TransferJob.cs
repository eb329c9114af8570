using Transfer.S3.Jobs;
using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>One copy or synchronization that many machines run: it is planned once, its shards run anywhere, and it is finished once.</summary>
/// <remarks>
/// Each item is bound to the state that the source and the target have when the job is planned, so what is done twice has an effect once, and what has changed in the
/// meantime isn't overwritten. What a job has done is in its folder, so each machine creates an instance of its own.
/// </remarks>
/// <param name="client">The client of the source, or of the only store.</param>
/// <param name="folder">The folder of the job.</param>
/// <param name="targetClient">The client of the target of a copy to another store; <see langword="null"/> for one store.</param>
/// <example>
/// <code>
/// JobFolder folder = JobFolder.InBucket(client, "bucket", "runs/1");
/// TransferJob job = new(client, folder);
/// JobPlan plan = await job.PlanAsync(Place.InDirectory("/data"), Place.InBucket("bucket", "data/"), new JobOptions { Workers = 8 });
/// JobShardResult result = await job.RunAsync(shard: 0); // each worker has shards of its own
/// JobSummary summary = await job.FinishAsync();
/// </code>
/// </example>
public sealed class TransferJob(TransferClient client, JobFolder folder, TransferClient? targetClient = null)
{
    private readonly TransferClient _client = client ?? throw new ArgumentNullException(nameof(client));
    private readonly JobFolder _folder = folder ?? throw new ArgumentNullException(nameof(folder));

    /// <summary>Plans the job: lists the source and the target once, and divides the work among shards.</summary>
    /// <remarks>
    /// Nothing is written to the source or the target. Memory doesn't grow with the number of objects. The plan is complete when <c>plan.json</c> exists.
    /// </remarks>
    /// <param name="source">The source. A folder has the same path on all machines.</param>
    /// <param name="target">The target. A folder has the same path on all machines. One of the sides must be in a store.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the folder already has a plan or contains other files, or the source or the target can't be listed.</exception>
    /// <exception cref="TransferException">Thrown when the source is missing or empty, or more would be deleted than allowed.</exception>
    /// <exception cref="ArgumentException">Thrown when an option or an argument is invalid.</exception>
    public async Task<JobPlan> PlanAsync(Place source, Place target, JobOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(target);
        JobSides sides = new(_client, targetClient, source.Normalize(), target.Normalize());
        options ??= new JobOptions();
        JobGuard.Check(options, sides, _folder);
        return await sides.RunAsync(JobGuard.GetReading(options), async (sync, _, _, token) =>
        {
            await sync.CheckAsync(token).ConfigureAwait(false);
            await PlanWriter.CheckAsync(_folder, token).ConfigureAwait(false);
            ClientSettings settings = _client.Context.Settings;
            using PlanReader reader = new(sync, sides, options, settings);
            await reader.ReadAsync(token).ConfigureAwait(false);
            PlanWriter writer = new(_folder, reader.Content, options.Shards, options.Workers);
            return options.DryRun ? writer.Preview(settings.TimeProvider) : await writer.CommitAsync(await writer.WriteAsync(settings.TimeProvider, token).ConfigureAwait(false), token).ConfigureAwait(false);
        }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Runs one shard. It can run twice, also at the same time, and is continued after what its results say.</summary>
    /// <remarks>
    /// An item that fails doesn't stop the others, and is in the result. After cancellation, items in flight have <see cref="JobWorkerOptions.Grace"/> to end, and
    /// their results are written.
    /// </remarks>
    /// <param name="shard">The index of the shard, from 0. A shard that the job doesn't have is no error, because engines can start more tasks than there are shards.</param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives progress updates.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the plan or the results can't be read, or results can't be written.</exception>
    /// <exception cref="OperationCanceledException">Thrown when it was canceled before every item had ended.</exception>
    public async Task<JobShardResult> RunAsync(
        int shard, JobWorkerOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(shard);
        options ??= new JobWorkerOptions();
        OptionGuard.Time(nameof(options.Grace), options.Grace, TimeSpan.Zero, TimeSpan.FromDays(1));
        if (options.MaxConcurrentObjects is { } concurrency)
        {
            OptionGuard.Number(nameof(options.MaxConcurrentObjects), concurrency, 1, TransferDefaults.MaxConcurrency);
        }

        cancellationToken.ThrowIfCancellationRequested();
        List<ResultName> names = [];
        await foreach (string name in _folder.ListAsync(JobNames.GetResults(shard), cancellationToken).ConfigureAwait(false))
        {
            if (JobNames.TryReadResult(name) is { } result)
            {
                names.Add(result);
            }
        }

        (JobPlan plan, PlanExtra extra) = await JobPlanFile.GetAsync(_folder, cancellationToken).ConfigureAwait(false);
        if (shard >= plan.Shards.Count)
        {
            return new JobShardResult { Shard = shard, Exists = false };
        }

        names.RemoveAll(name => name.Plan != plan.Id);
        return names.Exists(static name => name.Finished is not null)
            ? new JobShardResult { Shard = shard, IsFinished = true }
            : await new ShardRun(_folder, plan, extra, JobSides.From(plan, _client, targetClient), shard, options).RunAsync([.. names.Select(static name => name.Name)], progress, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Completes huge objects, checks that every object has a result and that its target is still as it was written, and completes the job.</summary>
    /// <remarks>
    /// It can be repeated, also before all shards have ended. A huge object is completed when all of its pieces are done, and only if its target is in the planned state.
    /// If everything is done, the targets are deleted that a synchronization deletes, and incomplete uploads of killed workers are aborted, if the results name them.
    /// <c>report.jsonl</c> in the folder of the job has a line for each item, and <c>summary.json</c> the result.
    /// </remarks>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when there is no plan, or something can't be read or written.</exception>
    public Task<JobSummary> FinishAsync(CancellationToken cancellationToken = default) => EndAsync(static (run, token) => run.FinishAsync(token), cancellationToken);

    /// <summary>Finds out what <see cref="FinishAsync"/> would do now: which huge objects it would complete, what it would delete and abort, and with how many requests.</summary>
    /// <remarks>It reads the results of all shards and looks at their targets, as <see cref="FinishAsync"/> does, and writes nothing.</remarks>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result that <see cref="FinishAsync"/> would have if nothing fails.</returns>
    /// <exception cref="TransferException">Thrown when there is no plan, or something can't be read.</exception>
    public Task<JobSummary> PreviewFinishAsync(CancellationToken cancellationToken = default) => EndAsync(static (run, token) => run.PreviewAsync(token), cancellationToken);

    /// <summary>Gives up a job: aborts the incomplete uploads that its workers have left. What was written stays.</summary>
    /// <remarks>No worker must run. An upload that a worker created less than five seconds before it was killed isn't known to be the job's, and stays.</remarks>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The number of uploads that were aborted.</returns>
    /// <exception cref="TransferException">Thrown when there is no plan, or an upload can't be aborted.</exception>
    public Task<long> AbandonAsync(CancellationToken cancellationToken = default) => EndAsync(static async (run, token) => (await run.AbortAsync(token).ConfigureAwait(false)).Aborted, cancellationToken);

    /// <summary>Plans everything again that is not done, as a job of its own, with the sources and targets as they are now.</summary>
    /// <remarks>
    /// What is not done has failed, has no result, or has changed since the job was planned or since it was written. What others have written to its targets is replaced, unless the job was
    /// planned with <see cref="DirectoryOptions.SkipExisting"/>: then a target that exists now is left alone.
    /// An object whose source doesn't exist anymore is planned as it was, so it remains a conflict.
    /// <para>
    /// The new job deletes what this one would have deleted, when everything is done that either of them has planned. A name that could not be planned is left out of the new
    /// job, too, and it then deletes nothing.
    /// </para>
    /// <para>A huge object is planned as a whole, with a multipart upload of its own. The one of this job can be aborted with <see cref="AbandonAsync"/>.</para>
    /// </remarks>
    /// <param name="retry">The folder of the new job.</param>
    /// <param name="shards">The number of shards; <see langword="null"/> for the default.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The plan; <see langword="null"/> if everything is done.</returns>
    /// <exception cref="TransferException">
    /// Thrown when there is no plan, the new folder has one or contains other files, only names are left that could not be planned, a huge object has all of its parts and
    /// waits for <see cref="FinishAsync"/>, or something can't be read or written.
    /// </exception>
    public Task<JobPlan?> PlanRetryAsync(JobFolder retry, int? shards = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(retry);
        if (shards is { } count)
        {
            OptionGuard.Number(nameof(shards), count, 1, JobOptions.MaxShards);
        }

        return EndAsync((run, token) => run.PlanRetryAsync(retry, shards, token), cancellationToken);
    }

    private async Task<T> EndAsync<T>(Func<FinishRun, CancellationToken, Task<T>> endAsync, CancellationToken cancellationToken)
    {
        (JobPlan plan, PlanExtra extra) = await JobPlanFile.GetAsync(_folder, cancellationToken).ConfigureAwait(false);
        JobSides sides = JobSides.From(plan, _client, targetClient);
        return await sides.RunAsync(
            extra.Options.ToSync(null), (sync, _, writing, token) => endAsync(new FinishRun(_folder, plan, extra, sides, sync, writing), token), cancellationToken).ConfigureAwait(false);
    }
}
