using System.Diagnostics;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>What transfers of different kinds do to each other: many small objects and single lookups beside one large file.</summary>
internal static class BesideContest
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const int KiB = 1024;
    private const int MiB = 1024 * KiB;
    private const int Objects = 4_000;
    private const long LargeBytes = 512 * MiB;
    private static readonly TimeSpan BetweenLookups = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(5);

    public static Contest Beside { get; } = new("beside", [4 * KiB],
    [
        new("DownloadDirectoryAsync, alone", DownloadAsync) { IsReference = true },
        new("DownloadDirectoryAsync, a large file begins with it", bench => DownloadBesideAsync(bench, new LargeFile(bench))),
        UnderWay(),
    ])
    {
        Description = "Downloading 4,000 objects of 4 KiB over a link of 32 MiB/s, alone and beside a large file, which begins with them or 5 seconds before, and a lookup each 50 ms: the objects, the bytes of both, and the latency of the lookups.",
        Figures = [Figures.RelativeRate("alone"), Figures.LinkUseOfRun(ServerKind.SlowLink), .. Figures.Latencies],
        ObjectsPerRun = Objects,
        IsTree = true,
        LargeBytes = LargeBytes,
        WarmUp = null,
        Servers = [ServerKind.SlowLink],
    };

    private static async Task DownloadAsync(Workbench bench)
        => DirectoryContests.Check(await bench.Client.DownloadDirectoryAsync(Bucket, Tree.Prefix, bench.NewFolder()), Objects);

    private static Contender UnderWay()
    {
        LargeFile? large = null;
        return new("DownloadDirectoryAsync, a large file is under way", bench => DownloadBesideAsync(bench, large!))
        {
            Prepare = bench =>
            {
                large = new LargeFile(bench);
                Thread.Sleep(Before);
            },
        };
    }

    private static async Task DownloadBesideAsync(Workbench bench, LargeFile large)
    {
        using CancellationTokenSource stopLookups = new();
        Task<List<TimeSpan>> lookups = LookUpAsync(bench, stopLookups.Token);
        await DownloadAsync(bench);
        await stopLookups.CancelAsync();
        bench.Times = [.. await lookups];
        await large.StopAsync();
    }

    /// <summary>Looks objects up one after another until the download has ended, so that it isn't longer because of them.</summary>
    private static async Task<List<TimeSpan>> LookUpAsync(Workbench bench, CancellationToken stop)
    {
        List<TimeSpan> times = [];
        for (int i = 0; !stop.IsCancellationRequested; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await bench.Client.GetInfoAsync(Bucket, $"{Tree.Prefix}/{Tree.Name(i % Objects)}", cancellationToken: CancellationToken.None);
            times.Add(Stopwatch.GetElapsedTime(start));
            await Task.Delay(BetweenLookups, stop).ContinueWith(static _ => { }, TaskScheduler.Default);
        }

        return times;
    }

    /// <summary>The download of a large file.</summary>
    private sealed class LargeFile
    {
        private readonly CancellationTokenSource _stop = new();
        private readonly Task _download;

        public LargeFile(Workbench bench)
            => _download = bench.Client.DownloadAsync(Bucket, Workbench.ObjectKey(LargeBytes), bench.Path, new DownloadOptions { Resume = false }, cancellationToken: _stop.Token);

        public async Task StopAsync()
        {
            await _stop.CancelAsync();
            await _download.ContinueWith(static _ => { }, TaskScheduler.Default);
            _stop.Dispose();
        }
    }
}
