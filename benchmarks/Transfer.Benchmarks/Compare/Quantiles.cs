namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Latencies, in milliseconds, by nearest rank.</summary>
internal sealed record Quantiles(double P50, double P99, double P999)
{
    public static Quantiles From(TimeSpan[] times)
    {
        double[] sorted = [.. times.Select(static one => one.TotalMilliseconds).Order()];
        return new Quantiles(At(0.5), At(0.99), At(0.999));

        double At(double share) => sorted[(int)Math.Ceiling(share * sorted.Length) - 1];
    }
}
