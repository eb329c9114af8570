using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>Transfers over a link with latency, in a new process with default options: what somebody gets who tunes nothing.</summary>
internal static class LinkContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;

    public static IEnumerable<Contest> All { get; } =
    [
        new("link-down", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, Stream", Contests.StreamAsync),
            new("DownloadAsync to a file", bench => bench.Client.DownloadAsync(Bucket, bench.Key, bench.Path)),
        ])
        { WarmUp = null, Servers = [ServerKind.Link] },
        new("link-up", [2048 * MiB],
        [
            new("TransferUtility.Upload of a file", bench => bench.Utility.UploadAsync(bench.Source, Bucket, "upload")) { Prepare = Write },
            new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, "upload")) { Prepare = Write },
        ])
        { WarmUp = null, Servers = [ServerKind.DiscardingLink] },
        new("throttled", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, 40 requests", bench => Contests.StreamAsync(bench, new DownloadOptions { Concurrency = 40 })),
            new("OpenReadAsync", Contests.StreamAsync),
        ])
        { WarmUp = null, Servers = [ServerKind.Throttling] },
        DirectoryContests.Down("link-directory-down", 64 * 1024, 10_000, isWarm: false) with { Servers = [ServerKind.Link] },
        DirectoryContests.Up("link-directory-up", 64 * 1024, 10_000, isWarm: false) with { Servers = [ServerKind.DiscardingLink] },
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
