using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Transfers beside those of other managers, from and to a server that costs less than any managed one.</summary>
internal static class PeerContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string Key = "upload";

    // A shorter warm-up would include the JIT compiler.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(5);

    private static readonly (string Name, TransferClientOptions Options)[] Fixed =
    [
        ("4 requests of 8 MiB", new() { MaxConcurrency = 4, DownloadPartSizeBytes = 8 * MiB, UploadPartSizeBytes = 8 * MiB }),
        ("8 requests", new() { MaxConcurrency = 8 }),
    ];

    private static readonly Contender Read = new("OpenReadAsync, Reader", Contests.ReaderAsync);
    private static readonly Contender Upload = new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, Key)) { Prepare = Write };
    private static readonly Contender Download = new("DownloadAsync to a file", bench => bench.Client.DownloadAsync(Bucket, bench.Key, bench.Path));

    public static IEnumerable<Contest> All { get; } =
    [
        Create("peers-get", "Reading", 2048 * MiB, [Get(Peers.RustManager), Get(Peers.Crt), .. WithFixed(Read)]),
        Create("peers-put", "Uploading a file", 1024 * MiB, [Put(Peers.RustManager), Put(Peers.Crt), .. WithFixed(Upload)]) with { IsUpload = true },
        Create("peers-file", "Downloading to a file", 2048 * MiB,
        [
            Peers.Warm(Peers.RustManager, "getfile", static bench => bench.Path),
            Peers.Warm(Peers.Crt, "getfile", static bench => bench.Path),
            .. WithFixed(Download),
        ]),
        Create("peers-get-tls", "Reading over HTTPS", 2048 * MiB, [Get(Peers.Crt), .. WithFixed(Read)]) with { Servers = [ServerKind.PeerTls] },
        Create("peers-put-tls", "Uploading a file over HTTPS", 1024 * MiB, [Put(Peers.Crt), .. WithFixed(Upload)]) with { IsUpload = true, Servers = [ServerKind.PeerTls] },
    ];

    private static Contest Create(string name, string operation, long size, IReadOnlyList<Contender> contenders) => new(name, [size], contenders)
    {
        Description = operation + " on loopback, beside other transfer managers: the rate, the CPU time, and the context switches. Needs --peers.",
        Figures = [Figures.RelativeRate("best fixed"), Figures.RelativeCpu("best fixed"), .. Figures.Wire],
        Runs = 1,
        WarmUp = WarmUp,
        Servers = [ServerKind.Peer],
    };

    private static Contender Get(string name) => Peers.Warm(name, "get", static bench => bench.Path);

    private static Contender Put(string name) => Peers.Warm(name, "put", static bench => bench.Source, Write);

    private static IEnumerable<Contender> WithFixed(Contender contender) =>
    [
        .. Fixed.Select(one => contender with { Name = $"{contender.Name}, {one.Name}", ClientOptions = one.Options, IsReference = true }),
        contender,
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
