namespace Transfer.S3;

/// <summary>The options of a worker of a job.</summary>
/// <example>
/// <code>
/// JobWorkerOptions options = new() { ItemFailed = failure => Console.WriteLine($"{failure.Name}: {failure.Message}") };
/// TransferJob job = new(client, JobFolder.InBucket(client, "bucket", "runs/1"));
/// JobShardResult result = await job.RunAsync(shard: 7, options, cancellationToken: cancellationToken);
/// </code>
/// </example>
public sealed record JobWorkerOptions
{
    /// <summary>Gets the time that transfers in flight have to end after cancellation. It includes the time to write their results.</summary>
    /// <value>The default is 25 seconds, which is less than what Slurm and Kubernetes wait between SIGTERM and SIGKILL. Range: zero to 1 day.</value>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(25);

    /// <summary>Gets the maximum number of items to transfer concurrently.</summary>
    /// <value>The default is <see langword="null"/>: as many as the link needs and <see cref="TransferClientOptions.MaxConcurrency"/> allows. Range: 1 to 1024.</value>
    public int? MaxConcurrentObjects { get; init; }

    /// <summary>Gets a callback that receives each item that has failed. Calls do not overlap.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    public Action<JobFailure>? ItemFailed { get; init; }
}
