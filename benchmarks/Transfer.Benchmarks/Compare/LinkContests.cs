using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Transfers over a link with latency, in a new process with default options, as for users who change no settings.</summary>
internal static class LinkContests
{
    private const long MiB = 1024 * 1024;
    private const string Bucket = BenchmarkStore.Bucket;

    /// <summary>Numbers of connections of 40 MiB/s around those that fill the link of 800 MiB/s.</summary>
    private static readonly int[] Fixed = [20, 24, 32];

    // Enough for the 20 seconds of the phases at the full rate of the link.
    private const long HalvingBytes = 12 * 1024 * MiB;

    public static IEnumerable<Contest> All { get; } =
    [
        new("link-down", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            .. WithFixed(new("OpenReadAsync, Stream", Contests.StreamAsync)),
            new("DownloadAsync to a file", bench => bench.Client.DownloadAsync(Bucket, bench.Key, bench.Path)),
        ])
        {
            Description = "Downloading over a link in a new process: the used share of the link, for all bytes and for their second half.",
            Figures = Figures.LinkShares(ServerKind.Link, isUpload: false),
            WarmUp = null,
            Servers = [ServerKind.Link],
        },
        new("link-up", [2048 * MiB],
        [
            UtilityUpload(static bench => bench.Source),
            .. WithFixed(Upload(static bench => bench.Source)),
        ])
        {
            Description = "Uploading over a link in a new process: the used share of the link, for all bytes and for their second half.",
            Figures = Figures.LinkShares(ServerKind.DiscardingLink, isUpload: true),
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.DiscardingLink],
        },
        new("link-halves-down", [HalvingBytes],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, Stream", Contests.StreamAsync),
        ])
        {
            Description = "Downloading over a link that halves for 10 seconds: the used share of the available rate in each phase, and the time until a window of 0.25 s uses 0.85 of it.",
            Figures = Figures.LinkPhases(ServerKind.HalvingLink),
            WarmUp = null,
            Servers = [ServerKind.HalvingLink],
        },
        new("link-halves-up", [HalvingBytes],
        [
            UtilityUpload(static bench => bench.EmptySource),
            Upload(static bench => bench.EmptySource),
        ])
        {
            Description = "Uploading over a link that halves for 10 seconds: the used share of the available rate in each phase, and the time until a window of 0.25 s uses 0.85 of it.",
            Figures = Figures.LinkPhases(ServerKind.HalvingLink),
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.HalvingLink],
        },
        new("throttled", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, 40 requests", bench => Contests.StreamAsync(bench, new DownloadOptions { MaxConcurrency = 40 })) { IsReference = true },
            new("OpenReadAsync", Contests.StreamAsync),
        ])
        {
            Description = "Reading from a store that rejects requests beyond 40 in flight: the rate relative to 40 requests, and the share of rejected requests.",
            Figures = [Figures.RelativeRate("40 requests"), .. Figures.Rejections, Figures.ExtraBytes],
            WarmUp = null,
            Servers = [ServerKind.Throttling],
        },
        new("rejecting", [4096 * MiB],
        [
            new("OpenReadAsync, 128 requests", bench => Contests.StreamAsync(bench, new DownloadOptions { MaxConcurrency = 128 })) { IsReference = true },
            new("OpenReadAsync", Contests.StreamAsync),
        ])
        {
            Description = "Reading from a store that rejects none, 0.2%, and 1% of the requests at random, however many are in flight: the rate relative to 128 requests, and between the tables.",
            Figures = [Figures.RelativeRate("128 requests")],
            WarmUp = null,
            Servers = [ServerKind.ManyConnections, ServerKind.RejectingFew, ServerKind.Rejecting],
        },
        DirectoryContests.Down("link-directory-down", 64 * 1024, 10_000, isWarm: false) with { Servers = [ServerKind.Link] },
        DirectoryContests.Up("link-directory-up", 64 * 1024, 10_000, isWarm: false) with { Servers = [ServerKind.DiscardingLink] },
    ];

    /// <summary>Adds fixed numbers of requests, which show what a new process on this machine can use of the link when nothing has to be found out.</summary>
    private static IEnumerable<Contender> WithFixed(Contender contender) =>
    [
        .. Fixed.Select(number => contender with { Name = $"{contender.Name}, {number} requests", ClientOptions = new() { MaxConcurrency = number }, IsReference = true }),
        contender,
    ];

    private static Contender UtilityUpload(Func<Workbench, string> source)
        => new("TransferUtility.Upload of a file", bench => bench.Utility.UploadAsync(source(bench), Bucket, "upload")) { Prepare = bench => source(bench) };

    private static Contender Upload(Func<Workbench, string> source)
        => new("UploadAsync of a file", bench => bench.Client.UploadAsync(source(bench), Bucket, "upload")) { Prepare = bench => source(bench) };
}
