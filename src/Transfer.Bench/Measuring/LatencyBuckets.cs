using System.Numerics;

namespace Transfer.S3.Bench.Measuring;

/// <summary>
/// Log-linear buckets of nanoseconds, as in HdrHistogram: 128 buckets of equal width for each power of two. The middle of a bucket differs from every value in it by at
/// most 1/256.
/// </summary>
internal static class LatencyBuckets
{
    /// <summary>The maximum error of a percentile.</summary>
    public const double PrecisionPercent = 100.0 / 256;

    /// <summary>Two hours and 26 minutes. Longer times count as that.</summary>
    public const long Longest = (1L << MaxBits) - 1;

    private const int SubBits = 7;
    private const int SubBuckets = 1 << SubBits;
    private const int MaxBits = 43;

    public static int Count => IndexOf(Longest) + 1;

    public static int IndexOf(long nanoseconds)
    {
        long value = Math.Clamp(nanoseconds, 0, Longest);
        int shift = BitOperations.Log2((ulong)value | SubBuckets) - SubBits;
        return (shift << SubBits) + (int)(value >> shift);
    }

    /// <summary>Gets the middle of a bucket.</summary>
    public static double GetValue(int index)
    {
        int shift = Math.Max(0, (index >> SubBits) - 1);
        long low = (long)(index - (shift << SubBits)) << shift;
        return low + (((1L << shift) - 1) / 2.0);
    }
}
