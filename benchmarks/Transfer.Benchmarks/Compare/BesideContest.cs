using System.Diagnostics;
using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>What transfers of different kinds do to each other: many small objects and single lookups beside one large file.</summary>
internal static class BesideContest
{
    private const string Bucket = BenchmarkStore.Bucket;
    private const int KiB = 1024;
    private const int MiB = 1024 * KiB;
    private const int Objects = 4_000;
    private const int Lookups = 20;
    private const long LargeBytes = 512 * MiB;
    private static readonly TimeSpan BetweenLookups = TimeSpan.FromMilliseconds(100);

    public static Contest Beside { get; } = new("beside", [4 * KiB],
    [
        new("DownloadDirectoryAsync, alone", DownloadAsync) { IsReference = true },
        new("DownloadDirectoryAsync beside a large file", DownloadBesideAsync),
    ])
    {
        Description = "Downloading 4,000 objects of 4 KiB over a link of 32 MiB/s, alone and beside a large file and 20 lookups: the objects, the bytes of both, and the latency of the lookups.",
        Figures = [Figures.RelativeRate("alone"), .. Figures.LinkUse(ServerKind.SlowLink), .. Figures.Latencies],
        ObjectsPerRun = Objects,
        IsTree = true,
        LargeBytes = LargeBytes,
        WarmUp = null,
        Servers = [ServerKind.SlowLink],
    };

    private static async Task DownloadAsync(Workbench bench)
        => DirectoryContests.Check(await bench.Client.DownloadDirectoryAsync(Bucket, Tree.Prefix, bench.NewFolder()), Objects);

    private static async Task DownloadBesideAsync(Workbench bench)
    {
        using CancellationTokenSource stop = new();
        Task large = bench.Client.DownloadAsync(Bucket, Workbench.ObjectKey(LargeBytes), bench.Path, new DownloadOptions { Resume = false }, cancellationToken: stop.Token);
        Task<TimeSpan[]> lookups = LookUpAsync(bench);
        await DownloadAsync(bench);
        bench.Times = await lookups;
        await stop.CancelAsync();
        await large.ContinueWith(static _ => { }, TaskScheduler.Default);
    }

    private static async Task<TimeSpan[]> LookUpAsync(Workbench bench)
    {
        TimeSpan[] times = new TimeSpan[Lookups];
        for (int i = 0; i < Lookups; i++)
        {
            await Task.Delay(BetweenLookups);
            long start = Stopwatch.GetTimestamp();
            await bench.Client.GetInfoAsync(Bucket, $"{Tree.Prefix}/{Tree.Name(i)}");
            times[i] = Stopwatch.GetElapsedTime(start);
        }

        return times;
    }
}
