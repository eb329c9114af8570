using System.Globalization;
using Amazon.S3.Model;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Synchronizations, deletions, and listings of many objects, each in a new process.</summary>
internal static class SyncContests
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const string RemovedPrefix = "removed";
    private const int KiB = 1024;

    public static IEnumerable<Contest> All { get; } = [Unchanged(100_000), FirstUp(10_000), FirstDown(10_000), Publish(50_000), Remove(20_000), ListRanges(200_000)];

    private static Contest Unchanged(int objects) => new("sync", [0],
    [
        new("ListObjectsAsync", bench => ListAsync(bench, objects)),
        new("SyncUploadAsync", bench => RunAsync(bench, objects, async client => (await client.SyncAsync(Place.InDirectory(bench.SourceFolder(objects)), Place.InBucket(Bucket, Tree.Prefix))).Counts.Same)) { Prepare = bench => bench.SourceFolder(objects) },
        new("SyncCopyAsync", bench => RunAsync(bench, objects, async client => (await client.SyncAsync(Place.InBucket(Bucket, Tree.Prefix), Place.InBucket(Bucket, Tree.CopyPrefix))).Counts.Same)),
        .. Rclone.Contenders("rclone sync --size-only", bench => ["sync", "--size-only", bench.SourceFolder(objects), Rclone.Address(Tree.Prefix)], bench => bench.SourceFolder(objects)),
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = Unchanged,
        Description = Format($"Synchronizing {objects:N0} unchanged objects of 0 bytes with a folder and with another prefix, compared with a listing: comparisons, memory, and requests."),
        Figures = Figures.Requests,
        IsTree = true,
        HasCopy = true,
        WarmUp = null,
        Servers = [ServerKind.Embedded],
    };

    private static Contest FirstUp(int objects) => new("sync-first-up", [64 * KiB],
    [
        new("UploadDirectoryAsync", bench => RunAsync(bench, objects, async client => (await client.UploadDirectoryAsync(bench.SourceFolder(objects), Bucket, NewPrefix())).Counts.Copied)) { Prepare = bench => bench.SourceFolder(objects) },
        new("SyncUploadAsync", bench => RunAsync(bench, objects, async client => (await client.SyncAsync(Place.InDirectory(bench.SourceFolder(objects)), Place.InBucket(Bucket, NewPrefix()))).Counts.Copied)) { Prepare = bench => bench.SourceFolder(objects) },
        .. Rclone.Contenders("rclone sync", bench => ["sync", bench.SourceFolder(objects), Rclone.Address(NewPrefix())], bench => bench.SourceFolder(objects)),
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = FirstUp,
        Description = Format($"Synchronizing a folder of {objects:N0} files of 64 KiB with an empty prefix, compared with an upload of the folder."),
        Figures = Figures.Requests,
        IsTree = true,
        IsUpload = true,
        WarmUp = null,
        Servers = [ServerKind.Discarding],
    };

    private static Contest Publish(int objects) => new("publish", [16 * KiB],
    [
        new("SyncAsync", bench => RunAsync(bench, objects, async client => (await client.SyncAsync(Place.InDirectory(bench.SourceFolder(objects)), Place.InBucket(Bucket, NewPrefix()))).Counts.Copied)) { Prepare = bench => bench.SourceFolder(objects) },
        new("SyncAsync, AllAtOnce", bench => RunAsync(bench, objects, client => PublishAsync(bench, client, objects))) { Prepare = bench => bench.SourceFolder(objects) },
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = Publish,
        Description = Format($"Synchronizing a folder of {objects:N0} files of 16 KiB with an empty prefix, 20 ms before each response: each object when it is uploaded, or all at once, with the time from the first to the last object."),
        Figures = [.. Figures.Requests, Figures.PublishWindow],
        IsTree = true,
        IsUpload = true,
        WarmUp = null,
        Servers = [ServerKind.DiscardingSlow],
    };

    private static Contest FirstDown(int objects) => new("sync-first-down", [64 * KiB],
    [
        new("DownloadDirectoryAsync", bench => RunAsync(bench, objects, async client => (await client.DownloadDirectoryAsync(Bucket, Tree.Prefix, bench.NewFolder())).Counts.Copied)),
        new("SyncDownloadAsync", bench => RunAsync(bench, objects, async client => (await client.SyncAsync(Place.InBucket(Bucket, Tree.Prefix), Place.InDirectory(bench.NewFolder()))).Counts.Copied)),
        .. Rclone.Contenders("rclone sync", bench => ["sync", Rclone.Address(Tree.Prefix), bench.NewFolder()]),
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = FirstDown,
        Description = Format($"Synchronizing a prefix of {objects:N0} objects of 64 KiB with an empty folder, compared with a download of the prefix."),
        Figures = Figures.Requests,
        IsTree = true,
        WarmUp = null,
        Servers = [ServerKind.Embedded],
    };

    private static Contest Remove(int objects) => new("rm", [0],
    [
        new("DeleteTreeAsync", bench => RunAsync(bench, objects, async client => (await client.DeleteTreeAsync(Bucket, RemovedPrefix)).Counts.Deleted)) { PrepareAsync = bench => CreateAsync(bench, objects) },
        .. Rclone.Contenders("rclone delete", _ => ["delete", Rclone.Address(RemovedPrefix)]).Select(one => one with { PrepareAsync = bench => CreateAsync(bench, objects) }),
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = Remove,
        Description = Format($"Deleting {objects:N0} objects of 0 bytes. The process creates them before."),
        IsUpload = true,
        WarmUp = null,
        Servers = [ServerKind.Embedded],
    };

    private static Contest ListRanges(int objects) => new("list-ranges", [0],
    [
        new("IAmazonS3.ListObjectsV2, page by page", bench => ListPagesAsync(bench, objects)),
        new("ListObjectsAsync", bench => ListAsync(bench, objects)),
        .. Rclone.Contenders("rclone lsf --fast-list", _ => ["lsf", "--fast-list", "-R", "--files-only", Rclone.Address(Tree.Prefix)]),
    ])
    {
        ObjectsPerRun = objects,
        OfObjects = ListRanges,
        Description = Format($"Listing {objects:N0} objects of a store that needs 30 ms for each page, compared with one page after the other."),
        Figures = Figures.Requests,
        IsTree = true,
        WarmUp = null,
        Servers = [ServerKind.Slow],
    };

    /// <summary>Runs with a client that keeps its state beside the other files of the measurement.</summary>
    private static async Task RunAsync(Workbench bench, int objects, Func<TransferClient, Task<long>> runAsync)
    {
        await using TransferClient client = new(bench.S3, new TransferClientOptions { StateDirectory = bench.NewFolder() });
        Check(await runAsync(client), objects);
    }

    private static async Task<long> PublishAsync(Workbench bench, TransferClient client, int objects)
    {
        DirectoryResult result = await client.SyncAsync(Place.InDirectory(bench.SourceFolder(objects)), Place.InBucket(Bucket, NewPrefix()), new SyncOptions { Publish = PublishMode.AllAtOnce });
        bench.Times = [result.PublishWindow!.Value];
        return result.Counts.Copied;
    }

    /// <summary>Returns a prefix that no earlier measurement has used.</summary>
    private static string NewPrefix() => $"up-{Guid.NewGuid():N}";

    private static async Task ListAsync(Workbench bench, int objects)
    {
        long count = 0;
        await foreach (ListedObject _ in bench.Client.ListObjectsAsync(Bucket, $"{Tree.Prefix}/"))
        {
            count++;
        }

        Check(count, objects);
    }

    private static async Task ListPagesAsync(Workbench bench, int objects)
    {
        long count = 0;
        await foreach (ListObjectsV2Response page in bench.S3.Paginators.ListObjectsV2(new ListObjectsV2Request { BucketName = Bucket, Prefix = $"{Tree.Prefix}/" }).Responses)
        {
            count += page.S3Objects?.Count ?? 0;
        }

        Check(count, objects);
    }

    private static Task CreateAsync(Workbench bench, int objects) => Parallel.ForEachAsync(
        Enumerable.Range(0, objects),
        async (i, token) => await bench.Client.UploadAsync(bench.Content, Bucket, $"{RemovedPrefix}/{Tree.Name(i)}", cancellationToken: token));

    private static void Check(long done, int objects)
    {
        if (done != objects)
        {
            throw new InvalidDataException($"{done} of {objects} objects were processed.");
        }
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
