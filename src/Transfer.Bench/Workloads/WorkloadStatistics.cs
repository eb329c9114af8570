namespace Transfer.S3.Bench.Workloads;

/// <summary>A summary of one value of all runs.</summary>
/// <param name="Median">The median; of an even number, the mean of the two in the middle.</param>
/// <param name="Mean">The mean.</param>
/// <param name="Min">The smallest value.</param>
/// <param name="Max">The largest value.</param>
/// <param name="Variance">The variance of these values, not of a population that they are a sample of.</param>
/// <param name="StandardDeviation">The square root of the variance.</param>
internal sealed record WorkloadStatistics(double Median, double Mean, double Min, double Max, double Variance, double StandardDeviation)
{
    /// <param name="values">At least one value.</param>
    public static WorkloadStatistics From(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        double mean = sorted.Average();
        double variance = sorted.Average(value => (value - mean) * (value - mean));
        return new WorkloadStatistics(
            (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2, mean, sorted[0], sorted[^1], variance, Math.Sqrt(variance));
    }
}
