using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>How much faster many workers are than one, at a store of which one worker can use only a small part.</summary>
internal static class JobContest
{
    private const int Objects = 64;
    private const int Shards = 8;
    private const int WorkerConcurrency = 2;
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;

    public static Contest Job { get; } = new("job", [MiB],
    [
        new("JobWorker, 8 shards one after the other", bench => RunAsync(bench, atOnce: 1)) { Prepare = static bench => bench.SourceFolder(Objects) },
        new("JobWorker, 8 shards at once", bench => RunAsync(bench, atOnce: Shards)) { Prepare = static bench => bench.SourceFolder(Objects) },
    ])
    {
        Description = "Uploading 64 files of 1 MiB by the 8 shards of a job, at a store that limits each connection to 1 MiB/s. Each worker has a client of its own with 2 requests at a time, so that one can't fill the store, and all of them need a small part of the machine.",
        ObjectsPerRun = Objects,
        IsTree = true,
        IsUpload = true,
        WarmUp = null,
        Servers = [ServerKind.NarrowConnections],
    };

    private static async Task RunAsync(Workbench bench, int atOnce)
    {
        JobFolder folder = JobFolder.InDirectory(bench.NewFolder());
        await new JobPlanner(bench.Client, folder).PlanUploadAsync(bench.SourceFolder(Objects), Bucket, $"up-{Guid.NewGuid():N}", new JobOptions { Shards = Shards });
        await Parallel.ForEachAsync(Enumerable.Range(0, Shards), new ParallelOptions { MaxDegreeOfParallelism = atOnce }, async (shard, token) =>
        {
            await using TransferClient client = new(bench.S3, new TransferClientOptions { Concurrency = WorkerConcurrency });
            JobShardResult result = await new JobWorker(client, folder).RunAsync(shard, cancellationToken: token);
            if (result.Done != Objects / Shards)
            {
                throw new InvalidDataException($"{result.Done} of {Objects / Shards} objects of shard {shard} were uploaded.");
            }
        });
    }
}
