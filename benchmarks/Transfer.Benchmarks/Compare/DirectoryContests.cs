using Amazon.S3.Transfer;
using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>Ways of moving many small objects between a store and a folder.</summary>
internal static class DirectoryContests
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const int KiB = 1024;

    public static IEnumerable<Contest> All { get; } =
    [
        Down("directory-down", 64 * KiB, 10_000),
        Up("directory-up", 64 * KiB, 10_000),
        Down("tiny-down", 4 * KiB, 100_000),
        Up("tiny-up", 4 * KiB, 100_000),
    ];

    private static Contest Down(string name, int size, int objects) => new(name, [size],
    [
        new("TransferUtility.DownloadDirectory", bench => bench.Utility.DownloadDirectoryAsync(new TransferUtilityDownloadDirectoryRequest
        {
            BucketName = Bucket,
            S3Directory = Tree.Prefix,
            LocalDirectory = bench.NewFolder(),
            DownloadFilesConcurrently = true,
        })),
        new("DownloadDirectoryAsync", async bench => Check(await bench.Client.DownloadDirectoryAsync(Bucket, Tree.Prefix, bench.NewFolder()), objects)),
    ])
    {
        ObjectsPerRun = objects,
        IsTree = true,
        Servers = [ServerKind.Nginx, ServerKind.Embedded],
    };

    private static Contest Up(string name, int size, int objects) => new(name, [size],
    [
        new("TransferUtility.UploadDirectory", bench => bench.Utility.UploadDirectoryAsync(new TransferUtilityUploadDirectoryRequest
        {
            BucketName = Bucket,
            KeyPrefix = "up",
            Directory = bench.SourceFolder(objects),
            SearchOption = SearchOption.AllDirectories,
            UploadFilesConcurrently = true,
        })),
        new("UploadDirectoryAsync", async bench => Check(await bench.Client.UploadDirectoryAsync(bench.SourceFolder(objects), Bucket, "up"), objects)),
    ])
    {
        ObjectsPerRun = objects,
        IsTree = true,
        Servers = [ServerKind.Discarding, ServerKind.Embedded],
    };

    private static void Check(DirectoryResult result, int objects)
    {
        if (result.Objects != objects)
        {
            throw new InvalidDataException($"{result.Objects} of {objects} objects came.");
        }
    }
}
