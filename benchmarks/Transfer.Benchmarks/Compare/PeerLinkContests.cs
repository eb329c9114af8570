using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Transfers in a new process from and to the cheap server, which limits its rates: with that, a server costs little of a machine that both share.</summary>
internal static class PeerLinkContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string Key = "upload";

    private static readonly Contender Upload = new("UploadAsync of a file", bench => bench.Client.UploadAsync(bench.Source, Bucket, Key)) { Prepare = Write };

    public static IEnumerable<Contest> All { get; } =
    [
        new("peers-link", [2048 * MiB], [Plain(ServerKind.PeerLink), new("OpenReadAsync, Stream", Contests.StreamAsync)])
        {
            Description = "Downloading from the cheap server over a link in a new process: the used share of the link, for all bytes and for their second half. Needs --peers.",
            Figures = Figures.LinkShares(ServerKind.PeerLink, isUpload: false),
            WarmUp = null,
            Servers = [ServerKind.PeerLink],
        },
        new("peers-link-up", [2048 * MiB], [Peers.Cold(Peers.RustManager, "put", static bench => bench.Source, Write), Upload])
        {
            Description = "Uploading to the cheap server over a link in a new process: the used share of the link, for all bytes and for their second half. Needs --peers.",
            Figures = Figures.LinkShares(ServerKind.PeerLink, isUpload: true),
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.PeerLink],
        },
        OnlyOurs(DirectoryContests.Down("peers-link-directory-down", 64 * 1024, 10_000, isWarm: false)) with { Servers = [ServerKind.PeerLink] },
        DirectoryContests.Up("peers-link-directory-up", 64 * 1024, 10_000, isWarm: false) with { Servers = [ServerKind.PeerLink] },
        Writers("peers-write", ServerKind.PeerNear, "20 ms before each response"),
        Writers("peers-write-narrow", ServerKind.PeerNarrow, "20 ms before each response, and 20 MiB/s for each connection"),
    ];

    private static Contest Writers(string name, ServerKind kind, string limits) => new(name, [256 * MiB],
    [
        new("OpenWriteAsync, one part at a time", bench => UploadContest.WriteAsync(bench, 1)) { IsReference = true },
        new("a stream of unknown length, one part at a time", bench => UploadContest.StreamAsync(bench, 1)) { IsReference = true },
        new("OpenWriteAsync", bench => UploadContest.WriteAsync(bench, null)),
        new("a stream of unknown length", bench => UploadContest.StreamAsync(bench, null)),
    ])
    {
        Description = $"Uploading what is written to a stream, with {limits}: the rate relative to one part at a time. Needs --peers.",
        Figures = [Figures.RelativeRate("one at a time")],
        IsUpload = true,
        WarmUp = TimeSpan.FromSeconds(3),
        Servers = [kind],
    };

    /// <summary>Removes the contender of the SDK, which can't read the ETags of files: it requires hexadecimal digits.</summary>
    private static Contest OnlyOurs(Contest contest) => contest with { Contenders = [.. contest.Contenders.Skip(1)] };

    private static Contender Plain(ServerKind kind)
    {
        Shaping shaping = ServerSettings.Find(kind).Shaping;
        int connections = (int)(shaping.LinkBytesPerSecond!.Value / shaping.ConnectionBytesPerSecond!.Value * 3);
        return new($"HttpClient, {connections} connections", bench => PlainHttp.GetAsync(bench, connections, PlainHttp.DefaultRangeBytes)) { IsReference = true };
    }

    private static void Write(Workbench bench) => _ = bench.Source;
}
