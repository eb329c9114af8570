using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Stores with some slow responses, or on which all responses become slow: the benefit and the cost of hedged requests.</summary>
internal static class SlowContests
{
    private const long MiB = 1024 * 1024;
    private const int KiB = 1024;
    private const int ReadsAtOnce = 8;
    private const string NotHedged = "not hedged";
    private static readonly TransferClientOptions NoHedging = new() { HedgeRequests = false };

    public static IEnumerable<Contest> All { get; } =
    [
        Reads(
            "slow-requests",
            "10,000 reads of 4 KiB, 8 at a time, from a store where 1% of requests take 20 times as long: the latencies and the additional requests.",
            10_000,
            ServerKind.SlowRequests,
            [.. Figures.Latencies, Figures.RelativeP99(NotHedged), Figures.ExtraRequests, Figures.ExtraBytes]),
        Reads(
            "all-slow",
            "2,000 reads of 4 KiB, 8 at a time, from a store where every request becomes ten times slower: the rate from then on, relative to no hedging.",
            2_000,
            ServerKind.AllSlow,
            [.. Figures.AfterTheChange(NotHedged), Figures.ExtraRequests, Figures.ExtraBytes]),
        new("all-slow-link", [2048 * MiB],
        [
            new("TransferUtility.OpenStream", Contests.UtilityStreamAsync),
            new("OpenReadAsync, not hedged", Contests.StreamAsync) { ClientOptions = NoHedging, IsReference = true },
            new("OpenReadAsync", Contests.StreamAsync),
        ])
        {
            Description = "Downloading over a link where the latency and the data of every request become ten times slower: the rate from then on, relative to no hedging.",
            Figures = [.. Figures.AfterTheChange(NotHedged), Figures.ExtraBytes],
            WarmUp = null,
            Servers = [ServerKind.AllSlowLink],
        },
    ];

    private static Contest Reads(string name, string description, int objects, ServerKind server, IReadOnlyList<Figure> figures) => new(name, [4 * KiB],
    [
        new("IAmazonS3.GetObject", bench => ReadAsync(bench, objects, Contests.GetObjectAsync)),
        new("OpenReadAsync, not hedged", bench => ReadAsync(bench, objects, Contests.StreamAsync)) { ClientOptions = NoHedging, IsReference = true },
        new("OpenReadAsync", bench => ReadAsync(bench, objects, Contests.StreamAsync)),
    ])
    {
        Description = description,
        Figures = figures,
        ObjectsPerRun = objects,
        WarmUp = null,
        Servers = [server],
    };

    // All reads share the buffer of the workbench, because its content is not used.
    private static async Task ReadAsync(Workbench bench, int objects, Func<Workbench, Task> readAsync)
    {
        TimeSpan[] times = new TimeSpan[objects];
        int begun = 0;
        await Task.WhenAll(Enumerable.Range(0, ReadsAtOnce).Select(_ => WorkAsync()));
        bench.Times = times;

        async Task WorkAsync()
        {
            for (int i; (i = Interlocked.Increment(ref begun) - 1) < objects;)
            {
                long start = Stopwatch.GetTimestamp();
                await readAsync(bench);
                times[i] = Stopwatch.GetElapsedTime(start);
            }
        }
    }
}
