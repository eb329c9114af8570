using Transfer.S3.Directories;
using Transfer.S3.Jobs;
using Transfer.S3.Scheduling;
using Transfer.S3.Sync;

namespace Transfer.S3;

/// <summary>Plans a job: lists the source and the target once, and divides the work among shards that many machines run with <see cref="JobWorker"/>.</summary>
/// <remarks>
/// Nothing is written to the source or the target. Each item is bound to the state that the source and the target have now, so what is done twice has an effect
/// once, and what has changed in the meantime isn't overwritten. Memory doesn't grow with the number of objects. The plan is complete when <c>plan.json</c> exists.
/// </remarks>
/// <param name="client">The client of the source, or of the only store.</param>
/// <param name="folder">The folder of the job.</param>
/// <param name="target">The client of the target of a copy to another store; <see langword="null"/> for one store.</param>
public sealed class JobPlanner(TransferClient client, JobFolder folder, TransferClient? target = null)
{
    private readonly TransferClient _client = client ?? throw new ArgumentNullException(nameof(client));
    private readonly JobFolder _folder = folder ?? throw new ArgumentNullException(nameof(folder));

    /// <summary>Plans the upload of a folder.</summary>
    /// <param name="directory">The folder. All machines need it under the same path.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the objects.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the folder already has a plan or contains other files, or the source or the target can't be listed.</exception>
    /// <exception cref="TransferException">Thrown when the source is missing or empty.</exception>
    /// <exception cref="TransferException">Thrown when more would be deleted than allowed.</exception>
    /// <exception cref="ArgumentException">Thrown when an option or an argument is invalid.</exception>
    public Task<JobPlan> PlanUploadAsync(string directory, string bucket, string prefix, JobOptions? options = null, CancellationToken cancellationToken = default)
        => RunAsync(new Place { Path = FullPath(directory) }, GetPlace(bucket, prefix), options, cancellationToken);

    /// <summary>Plans the download of a prefix.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the objects.</param>
    /// <param name="directory">The folder. All machines need it under the same path.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the folder already has a plan or contains other files, or the source or the target can't be listed.</exception>
    /// <exception cref="TransferException">Thrown when the source is missing or empty.</exception>
    /// <exception cref="TransferException">Thrown when more would be deleted than allowed.</exception>
    /// <exception cref="ArgumentException">Thrown when an option or an argument is invalid.</exception>
    public Task<JobPlan> PlanDownloadAsync(string bucket, string prefix, string directory, JobOptions? options = null, CancellationToken cancellationToken = default)
        => RunAsync(GetPlace(bucket, prefix), new Place { Path = FullPath(directory) }, options, cancellationToken);

    /// <summary>Plans the copy of a prefix, within the store or to the other one.</summary>
    /// <param name="source">The prefix of the source.</param>
    /// <param name="target">The prefix of the target.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the folder already has a plan or contains other files, or the source or the target can't be listed.</exception>
    /// <exception cref="TransferException">Thrown when the source is missing or empty.</exception>
    /// <exception cref="TransferException">Thrown when more would be deleted than allowed.</exception>
    /// <exception cref="ArgumentException">Thrown when an option or an argument is invalid.</exception>
    public Task<JobPlan> PlanCopyAsync(S3Uri source, S3Uri target, JobOptions? options = null, CancellationToken cancellationToken = default)
        => RunAsync(GetPlace(source.Bucket, source.Key), GetPlace(target.Bucket, target.Key), options, cancellationToken);

    private async Task<JobPlan> RunAsync(Place from, Place to, JobOptions? options, CancellationToken cancellationToken)
    {
        options ??= new JobOptions();
        JobGuard.Check(options, from);
        if (_folder.Overlaps(from) || _folder.Overlaps(to))
        {
            throw new ArgumentException(
                $"The folder of the job, {_folder.Address}, and {(_folder.Overlaps(from) ? $"the source, {from}" : $"the target, {to}")}, overlap. Use a folder that is in neither of them.", nameof(options));
        }

        JobSides sides = new(_client, from.IsLocal || to.IsLocal ? NoOther() : target, from, to);
        SyncJob sync = sides.Open(JobGuard.CreateSyncOptions(options));
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            ClientContext writer = sides.Writer.Context;
            return await _client.Context.BeginCounting(from.Bucket ?? to.Bucket!, from.Prefix ?? to.Prefix!).RunAsync(
                (reading, token) => sides.Other is null
                    ? PlanAsync(sync, sides, options, reading, reading, token)
                    : writer.BeginCounting(to.Bucket!, to.Prefix!).RunAsync((writing, stopping) => PlanAsync(sync, sides, options, reading, writing, stopping), token),
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            (sync as IDisposable)?.Dispose();
        }
    }

    private async Task<JobPlan> PlanAsync(SyncJob sync, JobSides sides, JobOptions options, TransferRun reading, TransferRun writing, CancellationToken cancellationToken)
    {
        sync.Begin(reading, writing);
        await sync.CheckAsync(cancellationToken).ConfigureAwait(false);
        await PlanWriter.CheckAsync(_folder, cancellationToken).ConfigureAwait(false);
        ClientSettings settings = _client.Context.Settings;
        using PlanReader reader = new(sync, sides, options, settings);
        await reader.ReadAsync(reading, writing, cancellationToken).ConfigureAwait(false);
        PlanWriter writer = new(_folder, reader.Content, options.Shards, options.Workers);
        JobPlanDocument document = await writer.WriteAsync(settings.TimeProvider, cancellationToken).ConfigureAwait(false);
        return await writer.CommitAsync(document, cancellationToken).ConfigureAwait(false);
    }

    private TransferClient? NoOther() => target is null ? null : throw new ArgumentException("A job with a folder has one store. Specify no client of another store.");

    private static string FullPath(string directory)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        return Path.TrimEndingDirectorySeparator(Path.GetFullPath(directory));
    }

    private static Place GetPlace(string bucket, string prefix)
    {
        OptionGuard.Bucket(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
        return new Place { Bucket = bucket, Prefix = KeyPrefix.Normalize(prefix) };
    }
}
