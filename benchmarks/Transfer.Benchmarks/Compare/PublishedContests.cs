using Amazon.S3.Model;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Objects of the sizes and numbers for which others publish figures, 32 at once.</summary>
internal static class PublishedContests
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const int MiB = 1024 * 1024;
    private const int AtOnce = 32;

    /// <summary>
    /// The size of the images of the model "retinanet" in the storage benchmark of MLCommons, which uploads 50,000 of them
    /// (github.com/mlcommons/storage, tests/object-store/bench-results-retinanet-20260425.md).
    /// </summary>
    private const int ImageBytes = 322_957;

    public static IEnumerable<Contest> All { get; } =
    [
        Up("images-up", ImageBytes, 5_000, "5,000 uploads of 315 KiB from memory, as the storage benchmark of MLCommons has them"),
        Up("mib-up", MiB, 2_000, "2,000 uploads of 1 MiB from memory"),
        Down("mib-down", MiB, 2_000, "2,000 reads of 1 MiB"),
    ];

    private static Contest Up(string name, int size, int objects, string what) => new(name, [size],
    [
        new("IAmazonS3.PutObject", bench => RepeatAsync(objects, key => PutObjectAsync(bench, key))),
        new("UploadAsync of memory", bench => RepeatAsync(objects, key => bench.Client.UploadAsync(bench.Content, Bucket, key))),
    ])
    {
        Description = $"{what}, {AtOnce} at once.",
        IsUpload = true,
        ObjectsPerRun = objects,
        Figures = [Figures.CpuOfBytes, Figures.Rate],
        Servers = [ServerKind.Discarding],
    };

    private static Contest Down(string name, int size, int objects, string what) => new(name, [size],
    [
        new("IAmazonS3.GetObject", bench => RepeatAsync(objects, _ => GetObjectAsync(bench))),
        new("DownloadAsync to memory", bench => RepeatAsync(objects, _ => DownloadAsync(bench))),
    ])
    {
        Description = $"{what}, {AtOnce} at once.",
        ObjectsPerRun = objects,
        Figures = [Figures.CpuOfBytes, Figures.Rate],
        Servers = [ServerKind.Nginx, ServerKind.Embedded],
    };

    private static Task RepeatAsync(int objects, Func<string, Task> runAsync) => Parallel.ForEachAsync(
        Enumerable.Range(0, objects),
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce },
        async (i, _) => await runAsync($"object-{i:D5}"));

    private static async Task PutObjectAsync(Workbench bench, string key)
    {
        using MemoryStream content = new(bench.ContentArray, writable: false);
        await bench.S3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, InputStream = content });
    }

    private static async Task GetObjectAsync(Workbench bench)
    {
        using GetObjectResponse response = await bench.S3.GetObjectAsync(Bucket, bench.Key);
        await response.ResponseStream.CopyToAsync(Stream.Null);
    }

    private static Task<DownloadResult> DownloadAsync(Workbench bench) => bench.Client.DownloadAsync(Bucket, bench.Key, Stream.Null);
}
