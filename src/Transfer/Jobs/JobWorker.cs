using Transfer.S3.Jobs;

namespace Transfer.S3;

/// <summary>
/// Runs shards of a job that <see cref="JobPlanner"/> has planned, on any number of machines. A shard can run twice, also at the same time, and is continued after
/// what its results say.
/// </summary>
/// <param name="client">The client of the source, or of the only store.</param>
/// <param name="folder">The folder of the job.</param>
/// <param name="target">The client of the target of a copy to another store; <see langword="null"/> for one store.</param>
public sealed class JobWorker(TransferClient client, JobFolder folder, TransferClient? target = null)
{
    private readonly TransferClient _client = client ?? throw new ArgumentNullException(nameof(client));
    private readonly JobFolder _folder = folder ?? throw new ArgumentNullException(nameof(folder));

    /// <summary>Runs one shard.</summary>
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
            OptionGuard.Number(nameof(options.MaxConcurrentObjects), concurrency, 1, Scheduling.TransferDefaults.MaxConcurrency);
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
            : await new ShardRun(_folder, plan, extra, JobSides.From(plan, _client, target), shard, options).RunAsync([.. names.Select(static name => name.Name)], progress, cancellationToken).ConfigureAwait(false);
    }
}
