using System.Numerics;

namespace Transfer.S3.Bench.Measuring;

/// <summary>
/// Records latencies from any number of threads, without locks and in fixed memory. Each processor has its own counts of 37 KiB, so that threads rarely write to the
/// same memory.
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

    /// <summary>Gets the latencies so far. Latencies that are recorded during the call may be missing.</summary>
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
