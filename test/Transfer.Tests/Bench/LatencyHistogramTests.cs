using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Results;

namespace Transfer.S3.Tests.Bench;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Percents = [0.1, 1, 25, 50, 90, 95, 99, 99.9, 99.99, 100];

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 10)]
    [InlineData(3, 1000)]
    [InlineData(4, 50_000)]
    public void Percentile_AnyTimes_IsExactWithinThePrecision(int seed, int count)
    {
        Random random = new(seed);

        // The times span nine powers of ten, and short ones are as frequent as long ones.
        TimeSpan[] times = [.. Enumerable.Range(0, count).Select(_ => TimeSpan.FromTicks((long)Math.Pow(10, random.NextDouble() * 9)))];
        long[] sorted = [.. times.Select(Nanoseconds).Order()];

        LatencyHistogram histogram = Record(times);

        Assert.EachEqual((count, sorted[0], sorted[^1]), (histogram.Count, histogram.Min, histogram.Max));
        foreach (double percent in Percents)
        {
            double exact = sorted[Math.Max(0, (int)Math.Ceiling(percent / 100 * count) - 1)];
            Assert.InRange(histogram.Percentile(percent), exact * (1 - (LatencyBuckets.PrecisionPercent / 100)), exact * (1 + (LatencyBuckets.PrecisionPercent / 100)));
        }
    }

    [Fact]
    public void Buckets_CoverEveryTimeOnceInOrder()
    {
        int before = -1;
        for (int bits = 2; bits < 43; bits++)
        {
            foreach (long value in (long[])[1L << bits, (1L << bits) + 1, (1L << bits) + ((1L << bits) / 3), (2L << bits) - 1])
            {
                int index = LatencyBuckets.IndexOf(value);
                Assert.InRange(index, before, LatencyBuckets.Count - 1);
                Assert.InRange(LatencyBuckets.GetValue(index), value * (1 - (1 / 256.0)), value * (1 + (1 / 256.0)));
                before = index;
            }
        }

        Assert.EachEqual((0, LatencyBuckets.Count - 1), (LatencyBuckets.IndexOf(-5), LatencyBuckets.IndexOf(long.MaxValue)));
        Assert.All(Enumerable.Range(0, LatencyBuckets.Count), index => Assert.Equal(index, LatencyBuckets.IndexOf((long)LatencyBuckets.GetValue(index))));
    }

    [Fact]
    public void ToResult_IsInMilliseconds()
    {
        LatencyResult result = Record([.. Enumerable.Range(1, 100).Select(i => TimeSpan.FromMilliseconds(i))]).ToResult()!;

        Assert.EachEqual((1.0, 50.5, 100.0), (result.Min, result.Mean, result.Max));
        Assert.InRange(result.P50, 49.8, 50.2);
        Assert.InRange(result.P999, 99.6, 100);
    }

    [Fact]
    public void ToResult_Empty_IsNull() => Assert.Null(new LatencyHistogram().ToResult());

    [Fact]
    public void Add_AnotherHistogram_EqualsASingleHistogram()
    {
        TimeSpan[] times = [.. Enumerable.Range(1, 1000).Select(i => TimeSpan.FromMicroseconds(i * i))];
        LatencyHistogram both = Record(times[..300]);
        both.Add(Record(times[300..]));
        Assert.Equal(Record(times).ToResult(), both.ToResult());
    }

    [Fact]
    public async Task Record_FromManyThreads_LosesNothing()
    {
        const int threads = 8;
        const int each = 20_000;
        LatencyRecorder recorder = new(processors: 4);

        await Task.WhenAll(Enumerable.Range(1, threads).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < each; i++)
            {
                recorder.Record(TimeSpan.FromMicroseconds(thread * 100));
            }
        }))).Within();

        LatencyHistogram all = new();
        recorder.AddTo(all);
        Assert.EachEqual((threads * each, 100_000, 800_000), (all.Count, all.Min, all.Max));
        Assert.Equal(0.45, all.ToResult()!.Mean, 9);
    }

    private static LatencyHistogram Record(TimeSpan[] times)
    {
        LatencyRecorder recorder = new();
        foreach (TimeSpan time in times)
        {
            recorder.Record(time);
        }

        LatencyHistogram histogram = new();
        recorder.AddTo(histogram);
        return histogram;
    }

    private static long Nanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;
}
