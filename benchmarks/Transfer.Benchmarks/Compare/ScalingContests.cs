using System.Globalization;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The same work with more requests in flight, open streams, parts, or objects. If nothing serializes, its cost stays the same.</summary>
internal static class ScalingContests
{
    private const int KiB = 1024;
    private const long MiB = 1024 * KiB;
    private const string Bucket = BenchmarkStore.Bucket;
    private const string UploadKey = "upload";
    private const int RangeBytes = 256 * KiB;
    private const long PartBytes = 5 * MiB; // the smallest part that S3 accepts
    private const int Parts = 10_000;
    private const int Streams = 2_000;
    private const int Objects = 100_000;

    // The time until the JIT compiler has optimized hot code.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(8);

    private static readonly int[] InFlight = [8, 64, 256];
    private static readonly int[] Open = [8, 64, Streams];
    private static readonly int[] Pieces = [10_000, 1_000, 100, 10, 1];

    public static IEnumerable<Contest> All { get; } =
    [
        new("in-flight", [8192 * MiB],
        [
            .. InFlight.Select(number => new Contender($"DownloadAsync, {number} requests", bench => bench.Client.DownloadAsync(Bucket, bench.Key, Stream.Null)) { ClientOptions = Fixed(number) }),
            .. InFlight.Select(number => new Contender($"HttpClient, {number} requests", bench => PlainHttp.GetAsync(bench, number, RangeBytes))),
        ])
        {
            Description = "Downloading in ranges of 256 KiB with 8, 64, and 256 requests in flight: the CPU time and the lock contentions of a request, compared with a plain HttpClient.",
            Figures = Figures.Requests,
            WarmUp = WarmUp,
            Servers = [ServerKind.Discarding],
        },
        new("in-flight-up", [8192 * MiB],
        [
            .. InFlight.Select(number => new Contender($"UploadAsync of memory, {number} requests", bench => bench.Client.UploadAsync(bench.Content, Bucket, UploadKey)) { ClientOptions = Fixed(number) }),
            .. InFlight.Select(number => new Contender($"HttpClient, {number} requests", bench => PlainHttp.PutAsync(bench, number, PartBytes))),
        ])
        {
            Description = "Uploading in parts of 5 MiB with 8, 64, and 256 requests in flight: the CPU time and the lock contentions of a request, compared with a plain HttpClient.",
            Figures = Figures.Requests,
            IsUpload = true,
            WarmUp = WarmUp,
            Servers = [ServerKind.Discarding],
        },
        new("open-streams", [64 * KiB, 4 * MiB],
        [
            .. Open.Select(number => new Contender(Format($"{number:N0} open streams"), bench => ReadStreamsAsync(bench, number))),
            new("8 open streams, ranges of 128 KiB", bench => ReadStreamsAsync(bench, 8)) { ClientOptions = new() { DownloadPartSizeBytes = 128 * KiB } },
        ])
        {
            Description = "Reading 2,000 objects as streams, with 8, 64, and 2,000 streams open at a time.",
            ObjectsPerRun = Streams,
            Figures = [.. Figures.Requests, Figures.PeakBuffers],
            WarmUp = WarmUp,
            Servers = [ServerKind.Discarding],
        },
        new("parts-down", [Parts * PartBytes], InPieces("part", Parts, static (bench, pieces)
            => bench.Client.DownloadAsync(Bucket, Workbench.ObjectKey(bench.ObjectBytes / pieces), Stream.Null)))
        {
            Description = "Downloading 10,000 parts of 5 MiB in total, as objects of 1 to 10,000 parts.",
            Figures = Figures.Requests,
            Pieces = Pieces,
            WarmUp = null,
            Servers = [ServerKind.Discarding],
        },
        new("parts-up", [Parts * PartBytes], InPieces("part", Parts, static (bench, pieces)
            => bench.Client.UploadAsync(bench.Content.Slice(0, bench.ObjectBytes / pieces), Bucket, UploadKey)))
        {
            Description = "Uploading 10,000 parts of 5 MiB of memory in total, as objects of 1 to 10,000 parts.",
            Figures = Figures.Requests,
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.Discarding],
        },
        new("objects-down", [4 * KiB], InPieces("object", Objects, static async (bench, pieces)
            => DirectoryContests.Check(await bench.Client.DownloadDirectoryAsync(Bucket, Tree.GetPrefix(pieces), bench.NewFolder()), Objects / pieces)))
        {
            Description = "Downloading 100,000 objects of 4 KiB in total, as directories of 10 to 100,000 objects.",
            ObjectsPerRun = Objects,
            Figures = Figures.Requests,
            IsTree = true,
            Pieces = Pieces,
            WarmUp = null,
            Servers = [ServerKind.Embedded],
        },
        new("objects-up", [4 * KiB], InPieces("object", Objects, static async (bench, pieces)
            => DirectoryContests.Check(await bench.Client.UploadDirectoryAsync(bench.SourceFolder(Objects / pieces), Bucket, "up"), Objects / pieces),
            static (bench, pieces) => bench.SourceFolder(Objects / pieces)))
        {
            Description = "Uploading 100,000 objects of 4 KiB in total, as directories of 10 to 100,000 objects.",
            ObjectsPerRun = Objects,
            Figures = Figures.Requests,
            IsTree = true,
            IsUpload = true,
            WarmUp = null,
            Servers = [ServerKind.Discarding],
        },
    ];

    /// <summary>Creates contenders that transfer the same total number of units in different numbers of pieces.</summary>
    private static IReadOnlyList<Contender> InPieces(string unit, int total, Func<Workbench, int, Task> runAsync, Action<Workbench, int>? prepare = null) =>
    [
        .. Pieces.Select(pieces => new Contender(Format($"{pieces:N0} × {total / pieces:N0} {unit}s"), async bench =>
        {
            for (int i = 0; i < pieces; i++)
            {
                await runAsync(bench, pieces);
            }
        })
        { ClientOptions = Fixed(8, PartBytes), Prepare = bench => prepare?.Invoke(bench, pieces) }),
    ];

    private static TransferClientOptions Fixed(int requests, long rangeBytes = RangeBytes) => new() { MaxConcurrency = requests, DownloadPartSizeBytes = rangeBytes, UploadPartSizeBytes = PartBytes };

    /// <summary>Opens the given number of streams, reads them concurrently to their ends, and repeats this until all objects are read.</summary>
    private static async Task ReadStreamsAsync(Workbench bench, int number)
    {
        for (int read = 0; read < Streams; read += number)
        {
            ObjectReadStream[] streams = await Task.WhenAll(Enumerable.Range(0, Math.Min(number, Streams - read)).Select(_ => bench.Client.OpenReadAsync(Bucket, bench.Key)));
            await Task.WhenAll(streams.Select(stream => Task.Run(() => DrainAsync(stream, bench))));
        }
    }

    private static async Task DrainAsync(ObjectReadStream stream, Workbench bench)
    {
        await using (stream)
        {
            await Contests.DrainAsync(stream.Reader, bench);
        }
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
