using System.Numerics;

namespace Transfer.Cli.Bench.Measuring;

/// <summary>
/// Records times from any number of threads without a lock and in fixed memory: each processor has counts of its own, 37 KiB of them, so that two hardly ever
/// write to the same place.
/// </summary>
internal sealed class LatencyRecorder
{
    private const int MaxStripes = 16;
    private readonly Stripe[] _stripes;

    public LatencyRecorder()
        : this(Environment.ProcessorCount)
    {
    }

    public LatencyRecorder(int processors)
    {
        _stripes = new Stripe[Math.Min(MaxStripes, (int)BitOperations.RoundUpToPowerOf2((uint)processors))];
        for (int i = 0; i < _stripes.Length; i++)
        {
            _stripes[i] = new Stripe();
        }
    }

    public void Record(TimeSpan time) => _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)].Record(time.Ticks * TimeSpan.NanosecondsPerTick);

    /// <summary>Everything so far. What is being recorded meanwhile may be in it or not.</summary>
    public void AddTo(LatencyHistogram histogram)
    {
        foreach (Stripe stripe in _stripes)
        {
            stripe.AddTo(histogram);
        }
    }

    private sealed class Stripe
    {
        private readonly long[] _counts = new long[LatencyBuckets.Count];
        private long _sum;
        private long _min = long.MaxValue;
        private long _max;

        public void Record(long nanoseconds)
        {
            Widen(ref _min, nanoseconds, static (value, edge) => value < edge);
            Widen(ref _max, nanoseconds, static (value, edge) => value > edge);
            Interlocked.Add(ref _sum, nanoseconds);
            Interlocked.Increment(ref _counts[LatencyBuckets.IndexOf(nanoseconds)]);
        }

        public void AddTo(LatencyHistogram histogram)
            => histogram.Add(_counts, Interlocked.Read(ref _sum), Interlocked.Read(ref _min), Interlocked.Read(ref _max));

        private static void Widen(ref long edge, long value, Func<long, long, bool> isBeyond)
        {
            long seen = Volatile.Read(ref edge);
            while (isBeyond(value, seen))
            {
                long was = Interlocked.CompareExchange(ref edge, value, seen);
                if (was == seen)
                {
                    return;
                }

                seen = was;
            }
        }
    }
}
