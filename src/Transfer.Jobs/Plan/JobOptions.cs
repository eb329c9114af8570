namespace Transfer.S3;

/// <summary>The options of the plan of a job.</summary>
/// <example>
/// <code>
/// JobOptions options = new() { Workers = 64, Transfer = new SyncOptions { Delete = true } };
/// TransferJob job = new(client, JobFolder.InBucket(client, "bucket", "runs/1"));
/// JobPlan plan = await job.PlanAsync(Place.InDirectory("/data"), Place.InBucket("bucket", "data/"), options);
/// </code>
/// </example>
public sealed record JobOptions
{
    /// <summary>The maximum value of <see cref="Shards"/>.</summary>
    public const int MaxShards = 100_000;

    /// <summary>The maximum value of <see cref="Workers"/>.</summary>
    public const int MaxWorkers = 25_000;

    /// <summary>The default of <see cref="SplitBytes"/>.</summary>
    public const long DefaultSplitBytes = 8 * Sizes.GiB;

    /// <summary>The minimum value of <see cref="SplitBytes"/>: two parts that stores accept.</summary>
    public const long MinSplitBytes = 2 * Requests.TransferDefaults.MinUploadPartSizeBytes;

    /// <summary>The maximum value of <see cref="SplitBytes"/>.</summary>
    public const long MaxSplitBytes = Sizes.MaxObject;

    /// <summary>Gets what the job does: <see cref="DirectoryOptions"/> to copy all that is selected, or <see cref="SyncOptions"/> to copy what is missing or different.</summary>
    /// <value>The default copies everything, and stops at the first name that can't be planned.</value>
    /// <remarks>
    /// <para>
    /// The plan contains the options of each transfer. <see cref="TreeOptions.MaxConcurrentObjects"/>, rate limits, and events are those of the workers.
    /// <see cref="TreeOptions.ObjectEnded"/>, handles, and customer keys must not be set. Of a copy, neither must <see cref="DirectoryOptions.DeleteSource"/>,
    /// <see cref="DirectoryOptions.DryRun"/>, and <see cref="DirectoryOptions.Archived"/>. Of a synchronization, neither must <see cref="TreeOptions.AsOf"/>,
    /// <see cref="TreeTransferOptions.EmptyFolders"/>, and <see cref="SyncOptions.Backup"/>. <see cref="SyncOptions.Delete"/> deletes at the end of the job.
    /// </para>
    /// <para>
    /// With <see cref="DirectoryOptions.Keys"/>, the source isn't listed. The keys are sorted in temporary files, and each object is planned once. Workers read the
    /// sizes and ETags of the list: an object that was replaced after the list was made is a conflict, unless the list names its version, which is then read. Objects of
    /// which the list doesn't tell size and ETag are looked up. A key that isn't under the prefix ends the plan.
    /// </para>
    /// </remarks>
    public TreeTransferOptions Transfer { get; init; } = new DirectoryOptions();

    /// <summary>Gets the number of shards.</summary>
    /// <value>The default is <see langword="null"/>: as many as take one worker about a minute each, and at least four for each of <see cref="Workers"/>. Range: 1 to 100,000.</value>
    public int? Shards { get; init; }

    /// <summary>Gets the number of workers that are expected to run at the same time.</summary>
    /// <value>The default is 1. Range: 1 to 25,000.</value>
    public int Workers { get; init; } = 1;

    /// <summary>Gets the size, in bytes, above which an object is divided into pieces of about half of it, which different workers copy.</summary>
    /// <value>The default is 8 GiB. Range: 10 MiB to 256 TiB.</value>
    /// <remarks>
    /// The pieces are parts of one multipart upload, which <see cref="TransferJob.FinishAsync"/> completes. Objects are copied as a whole if the target is a folder, or if the store
    /// of the source lists no ETags.
    /// </remarks>
    public long SplitBytes { get; init; } = DefaultSplitBytes;

    /// <summary>Gets a callback that receives each name that can't be planned, if <see cref="TreeTransferOptions.OnFailure"/> is <see cref="FailurePolicy.Continue"/>.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    public Action<Outcome>? Refused { get; init; }

    /// <summary>Gets a value that indicates whether to only find out what the plan would contain, and write nothing.</summary>
    /// <value>The default is <see langword="false"/>.</value>
    /// <remarks>The returned plan can't be run, and <see cref="JobPlan.Lost"/> is empty. Whether the store supports what it is about is found out by writing.</remarks>
    public bool DryRun { get; init; }

    internal SyncOptions? Sync => Transfer as SyncOptions;

    internal DirectoryOptions? Copy => Transfer as DirectoryOptions;
}
