using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Measuring;

/// <summary>A histogram of latencies. Not thread-safe; threads record into a <see cref="LatencyRecorder"/>.</summary>
internal sealed class LatencyHistogram
{
    private const double NanosecondsPerMillisecond = 1e6;
    private readonly long[] _counts = new long[LatencyBuckets.Count];
    private double _sum;

    public long Count { get; private set; }

    public long Min { get; private set; } = long.MaxValue;

    public long Max { get; private set; }

    /// <summary>Adds a stripe of a recorder.</summary>
    public void Add(ReadOnlySpan<long> counts, double sum, long min, long max)
    {
        for (int i = 0; i < counts.Length; i++)
        {
            _counts[i] += counts[i];
            Count += counts[i];
        }

        _sum += sum;
        Min = Math.Min(Min, min);
        Max = Math.Max(Max, max);
    }

    public void Add(LatencyHistogram other) => Add(other._counts, other._sum, other.Min, other.Max);

    /// <summary>Gets a percentile, in nanoseconds.</summary>
    public double Percentile(double percent)
    {
        if (Count == 0)
        {
            return 0;
        }

        long rank = Math.Clamp((long)Math.Ceiling(percent / 100 * Count), 1, Count);
        long seen = 0;
        int index = 0;
        while ((seen += _counts[index]) < rank)
        {
            index++;
        }

        return Math.Clamp(LatencyBuckets.GetValue(index), Min, Math.Max(Min, Max));
    }

    /// <summary>Gets the distribution in milliseconds; null if nothing was recorded.</summary>
    public LatencyResult? ToResult() => Count == 0 ? null : new LatencyResult(
        Milliseconds(Min),
        Milliseconds(_sum / Count),
        Milliseconds(Percentile(50)),
        Milliseconds(Percentile(90)),
        Milliseconds(Percentile(95)),
        Milliseconds(Percentile(99)),
        Milliseconds(Percentile(99.9)),
        Milliseconds(Max));

    private static double Milliseconds(double nanoseconds) => Math.Round(nanoseconds / NanosecondsPerMillisecond, 6);
}
