namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of status with --json. Scripts rely on its names.</summary>
internal sealed record JobStatusJson(
    string Operation,
    bool IsComplete,
    int Shards,
    int FinishedShards,
    int BegunShards,
    IReadOnlyList<int> UnfinishedShards,
    long Objects,
    long Items,
    long Done,
    long Bytes,
    long BytesDone,
    long Conflicts,
    long Failed,
    double BytesPerSecond,
    IReadOnlyList<JobShardTimeJson> Slowest,
    IReadOnlyList<JobFailureJson> Failures)
{
    public static JobStatusJson From(JobStatus status) => new(
        "status",
        status.IsComplete,
        status.Plan.Shards.Count,
        status.FinishedShards,
        status.BegunShards,
        status.UnfinishedShards,
        status.Plan.Objects,
        status.Plan.Items,
        status.Done,
        status.Plan.Bytes,
        status.Bytes,
        status.Conflicts,
        status.Failed,
        Math.Round(status.BytesPerSecond, 3),
        [.. status.Slowest.Select(static shard => new JobShardTimeJson(shard.Shard, Math.Round(shard.Elapsed.TotalSeconds, 3)))],
        JobFailureJson.From(status.Failures));
}
