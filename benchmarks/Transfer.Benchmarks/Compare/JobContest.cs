using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>How much faster many workers are than one, at a store of which one worker can use only a small part.</summary>
internal static class JobContest
{
    private const int Objects = 128;
    private const int Shards = 32; // of different sizes, so that the last ones are small
    private const int Workers = 8;
    private const int WorkerConcurrency = 2;
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;

    public static Contest Job { get; } = new("job", [MiB],
    [
        new("Job, one shard after the other", bench => RunAsync(bench, atOnce: 1)) { Prepare = static bench => bench.SourceFolder(Objects) },
        new("Job, 8 shards at once", bench => RunAsync(bench, atOnce: Workers)) { Prepare = static bench => bench.SourceFolder(Objects) },
    ])
    {
        Description = "Uploading 128 files of 1 MiB by the 32 shards of a job, at a store that limits each connection to 1 MiB/s. Each worker has a client of its own with 2 requests at a time, so that one can't fill the store, and all of them need a small part of the machine.",
        ObjectsPerRun = Objects,
        IsTree = true,
        IsUpload = true,
        WarmUp = null,
        Servers = [ServerKind.NarrowConnections],
    };

    private static async Task RunAsync(Workbench bench, int atOnce)
    {
        JobFolder folder = JobFolder.InDirectory(bench.NewFolder());
        await new TransferJob(bench.Client, folder).PlanAsync(
            new Place { Path = bench.SourceFolder(Objects) }, new Place { Bucket = Bucket, Prefix = $"up-{Guid.NewGuid():N}" }, new JobOptions { Shards = Shards });
        long done = 0;
        await Parallel.ForEachAsync(Enumerable.Range(0, Shards), new ParallelOptions { MaxDegreeOfParallelism = atOnce }, async (shard, token) =>
        {
            await using TransferClient client = new(bench.S3, new TransferClientOptions { MaxConcurrency = WorkerConcurrency });
            JobShardResult result = await new TransferJob(client, folder).RunAsync(shard, cancellationToken: token);
            Interlocked.Add(ref done, result.Done);
        });
        if (done != Objects)
        {
            throw new InvalidDataException($"{done} of {Objects} objects were uploaded.");
        }
    }
}
