using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Transfers without latency, over HTTP and HTTPS: the defaults compared with the best of several fixed numbers of requests.</summary>
internal static class LoopbackContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private static readonly int[] Fixed = [4, 8, 16];

    /// <summary>The best of the fixed settings on loopback: enough connections, and ranges that fit into the cache of the CPU.</summary>
    private static readonly TransferClientOptions BestFixed = new() { MaxConcurrency = 4, DownloadPartSizeBytes = 2 * MiB };

    public static IEnumerable<Contest> All { get; } =
    [
        new("fixed", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, Stream, best fixed", Contests.StreamAsync) { ClientOptions = BestFixed, IsReference = true },
            new("OpenReadAsync, Stream", Contests.StreamAsync),
            new("OpenReadAsync, Reader", Contests.ReaderAsync),
        ])
        {
            Description = "Reading on loopback: the rate, the CPU time, and the memory relative to the best fixed settings.",
            Figures = [Figures.RelativeRate("best fixed"), Figures.RelativeCpu("best fixed"), Figures.PeakBuffers],
            Servers = [ServerKind.Embedded, ServerKind.Tls],
        },
        new("https-down", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            .. WithFixed(new("OpenReadAsync", Contests.StreamAsync)),
        ])
        {
            Description = "Reading on loopback over HTTP and HTTPS: the rate relative to the best of several fixed numbers of requests.",
            Figures = [Figures.RelativeRate("best fixed")],
            WarmUp = null,
            Servers = [ServerKind.Embedded, ServerKind.Tls],
        },
        new("https-up", [2048 * MiB],
        [
            new("TransferUtility.Upload of a file", bench => bench.Utility.UploadAsync(bench.Source, Bucket, "upload")) { Prepare = Write },
            .. WithFixed(new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, "upload")) { Prepare = Write }),
        ])
        {
            Description = "Uploading on loopback over HTTP and HTTPS: the rate relative to the best of several fixed numbers of requests.",
            Figures = [Figures.RelativeRate("best fixed")],
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.Discarding, ServerKind.DiscardingTls],
        },
    ];

    private static IEnumerable<Contender> WithFixed(Contender contender) =>
    [
        .. Fixed.Select(number => contender with { Name = $"{contender.Name}, {number} requests", ClientOptions = new() { MaxConcurrency = number }, IsReference = true }),
        contender,
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
