namespace Transfer.S3.Bench.Results;

/// <summary>
/// The 95% confidence interval of the difference of two means, for different variances and numbers of values (B. L. Welch,
/// "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34, 1947).
/// </summary>
internal static class WelchInterval
{
    // Two-sided 95% quantiles of Student's t-distribution by degrees of freedom, from 1. Above 30, the next lower entry is used, which errs toward noise.
    private static readonly double[] ByDegrees =
    [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];

    private static readonly (int Degrees, double Point)[] Beyond = [(120, 1.980), (60, 2.000), (40, 2.021), (31, 2.042)];

    /// <summary>Gets half of the width of the interval; null if either side has fewer than two values.</summary>
    public static double? Margin(IReadOnlyList<double> one, IReadOnlyList<double> other)
    {
        if (one.Count < 2 || other.Count < 2)
        {
            return null;
        }

        (double a, double b) = (Variance(one) / one.Count, Variance(other) / other.Count);
        if (a + b <= 0)
        {
            return 0;
        }

        double degrees = (a + b) * (a + b) / ((a * a / (one.Count - 1)) + (b * b / (other.Count - 1)));
        return Point(degrees) * Math.Sqrt(a + b);
    }

    internal static double Point(double degrees)
    {
        int whole = Math.Max(1, (int)Math.Min(degrees + 1e-9, int.MaxValue));
        return whole <= ByDegrees.Length ? ByDegrees[whole - 1] : Beyond.First(row => whole >= row.Degrees).Point;
    }

    private static double Variance(IReadOnlyList<double> values)
    {
        double mean = values.Average();
        return values.Sum(value => (value - mean) * (value - mean)) / (values.Count - 1);
    }
}
