using Transfer.S3.Bench.Measuring;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cost of measuring: a download as <c>transfer bench get</c> does it, compared with the same download without measurements.</summary>
internal static class BenchOverheadContest
{
    private const long MiB = 1024 * 1024;

    public static Contest BenchOverhead { get; } = new(
        "bench-overhead",
        [256 * MiB, 2048 * MiB],
        [
            new("DownloadAsync to nowhere", bench => bench.Client.DownloadAsync(BenchmarkStore.Bucket, bench.Key, Stream.Null)),
            new("DownloadAsync to nowhere, measured", MeasuredAsync),
        ])
    {
        Description = "The overhead of `transfer bench get`, compared with a download that isn't measured.",
    };

    private static async Task MeasuredAsync(Workbench bench)
    {
        RunMeter meter = new(TimeProvider.System, new ThisProcess());
        bench.Measured.Meter = meter;
        await using (new Timer(static state => ((RunMeter)state!).Sample(), meter, TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(200)))
        {
            LoadPlan once = new(1, 1, null, null);
            await new LoadGenerator(once, meter, (_, _, token) => bench.Measured.GetAsync(bench.Key, null, token), TimeProvider.System).RunAsync(CancellationToken.None);
        }

        if (meter.Stop().Bytes != bench.ObjectBytes)
        {
            throw new InvalidDataException($"Received {meter.Bytes} of {bench.ObjectBytes} bytes.");
        }
    }
}
