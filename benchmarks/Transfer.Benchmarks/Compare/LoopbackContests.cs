using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>Transfers without latency, over HTTP and HTTPS: the defaults compared with the best of several fixed numbers of requests.</summary>
internal static class LoopbackContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private static readonly int[] Fixed = [4, 8, 16];

    public static IEnumerable<Contest> All { get; } =
    [
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
        .. Fixed.Select(number => contender with { Name = $"{contender.Name}, {number} requests", ClientOptions = new() { Concurrency = number }, IsReference = true }),
        contender,
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
