using System.Globalization;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Transfers by whole processes over an emulated wide area link, on which TCP is real: slow start, full queues, and lost packets.</summary>
internal static class WanContests
{
    private const long KiB = 1024;
    private const long MiB = 1024 * KiB;
    private const int SmallObjects = 3_000;
    private const string Key = "upload";
    private static readonly string Target = $"s3://{BenchmarkStore.Bucket}";
    private static readonly int[] Fixed = [4, 8];
    private static readonly int[] SmallFixed = [16, 64];

    private static readonly Contender[] SmallDownloads =
    [
        .. Rclone.Contenders("rclone copy, 64 transfers", static bench => ["copy", "--transfers", "64", "--checkers", "64", Rclone.Address(Tree.Prefix), bench.NewFolder()]),
        .. Rclone.Contenders("rclone copy", static bench => ["copy", Rclone.Address(Tree.Prefix), bench.NewFolder()]),
        .. Tool("transfer cp -r", SmallFixed, static bench => ["-r", $"{Target}/{Tree.Prefix}", bench.NewFolder()]),
    ];

    public static IEnumerable<Contest> All { get; } =
    [
        .. BothWays("wan-home", "100 Mbit/s and 30 ms", 192 * MiB, ServerKind.WanHome),
        .. BothWays("wan-lossy", "200 Mbit/s, 100 ms, and 0.1 % lost packets", 256 * MiB, ServerKind.WanLossy),
        .. BothWays("wan-long", "1 Gbit/s and 40 ms", 1024 * MiB, ServerKind.WanLong),
        .. BothWays("wan-drop", "100 Mbit/s and 40 ms, which loses all packets for 25 seconds", 256 * MiB, ServerKind.WanDrop),
        Small("wan-small", SmallObjects, isUpload: false),
        Small("wan-small-up", SmallObjects, isUpload: true),
    ];

    private static IEnumerable<Contest> BothWays(string name, string link, long size, ServerKind kind) =>
    [
        Create(name, $"Downloading an object over a link of {link}", kind, size,
        [
            .. Rclone.Contenders("rclone copyto", static bench => ["copyto", Rclone.Address(bench.Key), bench.Path]),
            Peers.Cold(Peers.RustManager, "getfile", static bench => bench.Path),
            .. Tool("transfer cp", Fixed, static bench => [$"{Target}/{bench.Key}", bench.Path]),
        ]),
        Create(name + "-up", $"Uploading a file over a link of {link}", kind, size,
        [
            .. Rclone.Contenders("rclone copyto", static bench => ["copyto", bench.Source, Rclone.Address(Key)], Write),
            Peers.Cold(Peers.RustManager, "put", static bench => bench.Source, Write),
            .. Tool("transfer cp", Fixed, static bench => [bench.Source, $"{Target}/{Key}"], Write),
        ]) with { IsUpload = true },
    ];

    private static Contest Small(string name, int objects, bool isUpload) => Create(
        name,
        string.Create(CultureInfo.InvariantCulture, $"{(isUpload ? "Uploading" : "Downloading")} {objects:N0} objects of 32 KiB over a link of 200 Mbit/s and 60 ms"),
        ServerKind.WanSmall,
        32 * KiB,
        isUpload ? SmallUploads(objects) : SmallDownloads) with
    {
        ObjectsPerRun = objects,
        OfObjects = number => Small(name, number, isUpload),
        IsTree = true,
        IsUpload = isUpload,
    };

    private static Contender[] SmallUploads(int objects)
    {
        return
        [
            .. Rclone.Contenders("rclone copy, 64 transfers", bench => ["copy", "--transfers", "64", bench.SourceFolder(objects), Rclone.Address(Key)], Write),
            .. Rclone.Contenders("rclone copy", bench => ["copy", bench.SourceFolder(objects), Rclone.Address(Key)], Write),
            .. Tool("transfer cp -r", SmallFixed, bench => ["-r", bench.SourceFolder(objects), $"{Target}/{Key}"], Write),
        ];

        void Write(Workbench bench) => bench.SourceFolder(objects);
    }

    private static Contest Create(string name, string operation, ServerKind kind, long size, IReadOnlyList<Contender> contenders) => new(name, [size], contenders)
    {
        Description = operation + ": the used share of the link, the CPU time, and the context switches. Needs --peers and --wan.",
        Figures = [Figures.RelativeRate("best fixed"), Figures.RelativeCpu("best fixed"), .. Figures.WanShares(kind), .. Figures.Wire],
        Runs = 1,
        WarmUp = null,
        Servers = [kind],
    };

    private static IEnumerable<Contender> Tool(string name, int[] numbers, Func<Workbench, IEnumerable<string>> arguments, Action<Workbench>? prepare = null) =>
    [
        .. numbers.Select(number => new Contender(
            string.Create(CultureInfo.InvariantCulture, $"{name} --concurrency {number}"),
            bench => TransferTool.RunAsync(bench, [.. arguments(bench), "--concurrency", number.ToString(CultureInfo.InvariantCulture)])) { Prepare = prepare, IsReference = true }),
        new(name, bench => TransferTool.RunAsync(bench, arguments(bench))) { Prepare = prepare },
    ];

    private static void Write(Workbench bench) => _ = bench.Source;
}
