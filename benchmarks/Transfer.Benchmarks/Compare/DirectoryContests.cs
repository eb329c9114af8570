using System.Globalization;
using Amazon.S3.Transfer;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Transfers of many small objects between a store and a folder: in a new process, as in tools and jobs, and in a process that is warmed up.
/// </summary>
internal static class DirectoryContests
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const int KiB = 1024;

    public static IEnumerable<Contest> All { get; } =
    [
        Down("directory-down", 64 * KiB, 10_000, isWarm: false),
        Up("directory-up", 64 * KiB, 10_000, isWarm: false),
        Down("directory-down-warm", 64 * KiB, 10_000, isWarm: true),
        Up("directory-up-warm", 64 * KiB, 10_000, isWarm: true),
        Down("tiny-down", 4 * KiB, 100_000, isWarm: false),
        Up("tiny-up", 4 * KiB, 100_000, isWarm: false),
    ];

    public static Contest Down(string name, int size, int objects, bool isWarm) => new(name, [size],
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
        Description = Describe("Downloading", size, objects, isWarm),
        IsTree = true,
        WarmUp = isWarm ? TimeSpan.FromSeconds(8) : null,
        Servers = [ServerKind.Nginx, ServerKind.Embedded],
    };

    public static Contest Up(string name, int size, int objects, bool isWarm) => new(name, [size],
    [
        new("TransferUtility.UploadDirectory", bench => bench.Utility.UploadDirectoryAsync(new TransferUtilityUploadDirectoryRequest
        {
            BucketName = Bucket,
            KeyPrefix = "up",
            Directory = bench.SourceFolder(objects),
            SearchOption = SearchOption.AllDirectories,
            UploadFilesConcurrently = true,
        }))
        { Prepare = bench => bench.SourceFolder(objects) },
        new("UploadDirectoryAsync", async bench => Check(await bench.Client.UploadDirectoryAsync(bench.SourceFolder(objects), Bucket, "up"), objects)) { Prepare = bench => bench.SourceFolder(objects) },
    ])
    {
        ObjectsPerRun = objects,
        Description = Describe("Uploading", size, objects, isWarm),
        IsTree = true,
        IsUpload = true,
        WarmUp = isWarm ? TimeSpan.FromSeconds(8) : null,
        Servers = [ServerKind.Discarding, ServerKind.Embedded],
    };

    private static string Describe(string what, int size, int objects, bool isWarm)
        => string.Create(CultureInfo.InvariantCulture, $"{what} {objects:N0} objects of {size / KiB} KiB in a {(isWarm ? "warm" : "new")} process.");

    public static void Check(DirectoryResult result, int objects)
    {
        if (result.Counts.Copied != objects)
        {
            throw new InvalidDataException($"{result.Counts.Copied} of {objects} objects were transferred.");
        }
    }
}
