using Transfer.S3.Jobs;

namespace Transfer.S3;

/// <summary>The place where the plan and the results of a job are kept: a prefix of a bucket, or a folder that all machines share.</summary>
/// <remarks>
/// All machines that run shards of the job need the same folder. It must be neither in the source nor in the target of the job. It belongs to the job: when the job is
/// planned, the folder must be empty or must not exist.
/// </remarks>
/// <example>
/// <code>
/// JobFolder folder = JobFolder.InDirectory("/shared/runs/1");
/// JobStatus status = await folder.ReadStatusAsync();
/// Console.WriteLine($"{status.FinishedShards} of {status.Plan.Shards.Count} shards are finished, {status.Failed} objects have failed.");
/// </code>
/// </example>
public abstract class JobFolder
{
    private const int MaxReads = 16;
    private const int MaxSlowest = 5;
    private const int MaxFailures = 10;

    private protected JobFolder()
    {
    }

    /// <summary>Gets the address of the folder, for messages.</summary>
    public abstract string Address { get; }

    /// <summary>Uses a prefix of a bucket.</summary>
    /// <param name="client">The client of the store.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix, with or without a slash at its end. It must not be empty.</param>
    /// <exception cref="ArgumentException">Thrown when the bucket or the prefix is empty.</exception>
    public static JobFolder InBucket(TransferClient client, string bucket, string prefix)
    {
        ArgumentNullException.ThrowIfNull(client);
        OptionGuard.Bucket(bucket);
        ArgumentException.ThrowIfNullOrWhiteSpace(prefix);
        return new BucketJobFolder(client, bucket, KeyPrefix.Normalize(prefix));
    }

    /// <summary>Uses a folder of a file system that all machines share. It is created if it doesn't exist.</summary>
    /// <param name="directory">The path.</param>
    /// <exception cref="ArgumentException">Thrown when the path is empty.</exception>
    public static JobFolder InDirectory(string directory)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        return new DiskJobFolder(Path.GetFullPath(directory));
    }

    /// <summary>Reads the plan of the job.</summary>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The plan; <see langword="null"/> if there is none.</returns>
    /// <exception cref="TransferException">Thrown when the plan can't be read, or is damaged.</exception>
    public async Task<JobPlan?> ReadPlanAsync(CancellationToken cancellationToken = default) => (await JobPlanFile.ReadAsync(this, cancellationToken).ConfigureAwait(false))?.Plan;

    /// <summary>Reads how far the job is, from its results alone.</summary>
    /// <remarks>It costs one request for the plan, one for each 1,000 files of results, and one for each file of a shard that isn't finished.</remarks>
    /// <param name="time">The time; <see langword="null"/> for the system's.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when there is no plan, or the results can't be read.</exception>
    public async Task<JobStatus> ReadStatusAsync(TimeProvider? time = null, CancellationToken cancellationToken = default)
    {
        JobPlan plan = (await JobPlanFile.GetAsync(this, cancellationToken).ConfigureAwait(false)).Plan;
        ResultIndex index = await ResultIndex.ReadAsync(this, plan, cancellationToken).ConfigureAwait(false);
        int[] shards = [.. Enumerable.Range(0, plan.Shards.Count)];
        int[] finished = [.. shards.Where(shard => index.FinishedIn(shard) is not null)];
        int[] begun = [.. shards.Where(shard => index.FinishedIn(shard) is null && index.GetSegments(shard).Count > 0)];
        JobStatus ofFinished = new()
        {
            Plan = plan,
            FinishedShards = finished.Length,
            BegunShards = begun.Length,
            UnfinishedShards = [.. shards.Where(shard => index.FinishedIn(shard) is null)],
            Done = finished.Sum(shard => plan.Shards[shard].Items),
            Bytes = finished.Sum(shard => plan.Shards[shard].Bytes),
            Slowest = [.. finished.Select(shard => new JobShardTime(shard, index.FinishedIn(shard)!.Value)).OrderByDescending(static shard => shard.Elapsed).Take(MaxSlowest)],
        };
        StatusCount count = new(ofFinished, MaxFailures);
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxReads, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(begun, parallel, async (shard, token) =>
        {
            using ShardResults results = await ShardResults.ReadAsync(this, index.GetSegments(shard), plan.Shards[shard].Items, token).ConfigureAwait(false);
            count.Add(results, plan.Shards[shard].Items);
        }).ConfigureAwait(false);

        JobStatus status = count.ToStatus();
        TimeSpan since = (time ?? TimeProvider.System).GetUtcNow() - plan.Created;
        return status with { BytesPerSecond = since > TimeSpan.Zero ? status.Bytes / since.TotalSeconds : 0 };
    }

    /// <summary>Returns whether the folder is in another place, or the other place is in the folder.</summary>
    internal abstract bool Overlaps(Place place);

    /// <summary>Gets the client of the folder; null for a folder of a file system.</summary>
    internal virtual TransferClient? Client => null;

    /// <summary>Returns whether two processes can't create the same file; null if that isn't known.</summary>
    internal virtual Task<bool?> HasConditionsAsync(CancellationToken cancellationToken) => Task.FromResult<bool?>(true);

    /// <summary>Creates a file that nobody else may have created.</summary>
    /// <returns>False if it exists.</returns>
    internal abstract Task<bool> TryCreateAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>Writes a file, or replaces it. Readers see the whole file or none.</summary>
    /// <param name="name">The name.</param>
    /// <param name="content">The content, from its position to its end.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    internal abstract Task WriteAsync(string name, Stream content, CancellationToken cancellationToken);

    /// <summary>Copies a file to a stream.</summary>
    /// <returns>False if it doesn't exist.</returns>
    internal abstract Task<bool> ReadAsync(string name, Stream target, CancellationToken cancellationToken);

    /// <summary>Lists the names of the files that begin with a prefix, which is empty or ends with a slash, in any order.</summary>
    /// <remarks>A link is a file: what is behind it isn't listed. Files that are being written are listed with their hidden names.</remarks>
    internal abstract IAsyncEnumerable<string> ListAsync(string prefix, CancellationToken cancellationToken);

    /// <summary>Deletes a file, if it exists. Links are not followed.</summary>
    internal abstract Task DeleteAsync(string name, CancellationToken cancellationToken);

    internal async Task<byte[]?> ReadAllAsync(string name, CancellationToken cancellationToken)
    {
        using MemoryStream content = new();
        return await ReadAsync(name, content, cancellationToken).ConfigureAwait(false) ? content.ToArray() : null;
    }

    internal async Task WriteAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        using MemoryStream stream = new(content.ToArray(), writable: false);
        await WriteAsync(name, stream, cancellationToken).ConfigureAwait(false);
    }
}
