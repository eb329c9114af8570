using Transfer.S3.Jobs;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;

namespace Transfer.S3;

/// <summary>Ends a job after its shards have run. It can be repeated, also before all of them have ended.</summary>
/// <param name="client">The client of the source, or of the only store.</param>
/// <param name="folder">The folder of the job.</param>
/// <param name="target">The client of the target of a copy to another store; <see langword="null"/> for one store.</param>
public sealed class JobFinisher(TransferClient client, JobFolder folder, TransferClient? target = null)
{
    private readonly TransferClient _client = client ?? throw new ArgumentNullException(nameof(client));
    private readonly JobFolder _folder = folder ?? throw new ArgumentNullException(nameof(folder));

    /// <summary>Completes huge objects, checks that every object has a result and that its target is still as it was written, and completes the job.</summary>
    /// <remarks>
    /// A huge object is completed when all of its pieces are done, and only if its target is in the planned state. If everything is done, the targets are deleted that a synchronization deletes, and incomplete uploads of killed workers are aborted, if the results
    /// name them. <c>report.jsonl</c> in the
    /// folder of the job has a line for each item, and <c>summary.json</c> the result.
    /// </remarks>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when there is no plan, or something can't be read or written.</exception>
    public Task<JobSummary> FinishAsync(CancellationToken cancellationToken = default) => RunAsync(static (run, token) => run.FinishAsync(token), cancellationToken);

    /// <summary>Gives up a job: aborts the incomplete uploads that its workers have left. What was written stays.</summary>
    /// <remarks>No worker must run. An upload that a worker created less than five seconds before it was killed isn't known to be the job's, and stays.</remarks>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The number of uploads that were aborted.</returns>
    /// <exception cref="TransferException">Thrown when there is no plan, or an upload can't be aborted.</exception>
    public Task<long> AbandonAsync(CancellationToken cancellationToken = default) => RunAsync(static async (run, token) => (await run.AbortAsync(token).ConfigureAwait(false)).Aborted, cancellationToken);

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

        return RunAsync((run, token) => run.PlanRetryAsync(retry, shards, token), cancellationToken);
    }

    private async Task<T> RunAsync<T>(Func<FinishRun, CancellationToken, Task<T>> runAsync, CancellationToken cancellationToken)
    {
        (JobPlan plan, PlanExtra extra) = await JobPlanFile.GetAsync(_folder, cancellationToken).ConfigureAwait(false);
        JobSides sides = JobSides.From(plan, _client, target);
        SyncJob sync = sides.Open(extra.Options.ToSync(null));
        try
        {
            JobLocation named = plan.Source.IsLocal ? plan.Target : plan.Source;
            return await _client.Context.BeginCounting(named.Bucket!, named.Prefix!).RunAsync(
                (reading, token) => sides.Other is null
                    ? BeginAsync(reading, reading, token)
                    : sides.Other.Context.BeginCounting(plan.Target.Bucket!, plan.Target.Prefix!).RunAsync((writing, stopping) => BeginAsync(reading, writing, stopping), token),
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            (sync as IDisposable)?.Dispose();
        }

        Task<T> BeginAsync(TransferRun reading, TransferRun writing, CancellationToken stopping)
        {
            sync.Begin(reading, writing);
            return runAsync(new FinishRun(_folder, plan, extra, sides, sync, reading, writing), stopping);
        }
    }
}
