using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cost of a transfer in addition to TLS and HTTP, compared with a plain <see cref="HttpClient"/> and with TransferUtility.</summary>
internal static class HttpsContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string Key = "upload";
    private const string Floor = "HttpClient";

    // A shorter warm-up would include the JIT compiler. It counts calls, and a part takes longer
    // over TLS, so most code is optimized only after this time.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(12);

    public static IEnumerable<Contest> All { get; } =
    [
        new("https", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("HttpClient, 4 connections", PlainHttp.GetAsync) { IsReference = true },
            new("HttpClient, 4 connections, and a CRC-64", PlainHttp.GetWithChecksumAsync),
            new("HttpClient, 4 connections, a CRC-64, and 96 MiB of memory", PlainHttp.GetIntoMemoryWithChecksumAsync),
            new("OpenReadAsync, Reader", bench => Contests.ReaderAsync(bench, null)),
        ])
        {
            Description = "Reading over HTTPS and HTTP: the rate and the CPU time relative to a plain HttpClient.",
            Figures = [Figures.RelativeRate(Floor), Figures.RelativeCpu(Floor)],
            WarmUp = WarmUp,
            Servers = [ServerKind.Tls, ServerKind.NginxTls, ServerKind.Embedded, ServerKind.Nginx],
        },
        new("https-put", [1024 * MiB],
        [
            new("TransferUtility.Upload of a file", bench => bench.Utility.UploadAsync(bench.Source, Bucket, Key)) { Prepare = Write },
            new("HttpClient, 4 connections, one array again and again", PlainHttp.PutAsync) { IsReference = true },
            new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, Key)) { Prepare = Write },
            new("UploadAsync of memory", bench => bench.Client.UploadAsync(bench.Content, Bucket, Key)),
        ])
        {
            Description = "Uploading over HTTPS and HTTP: the rate and the CPU time relative to a plain HttpClient.",
            Figures = [Figures.RelativeRate(Floor), Figures.RelativeCpu(Floor)],
            IsUpload = true,
            WarmUp = WarmUp,
            Servers = [ServerKind.DiscardingTls, ServerKind.Discarding],
        },
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
