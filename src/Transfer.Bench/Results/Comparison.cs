namespace Transfer.S3.Bench.Results;

/// <summary>Distinguishes differences between two reports from noise.</summary>
internal static class Comparison
{
    private const double ConfidencePercent = 95;

    public static BenchComparison Compare(BenchReport baseline, BenchReport report) => new(
        baseline.StartedAt,
        baseline.Engine,
        ConfidencePercent,
        [
            .. report.Settings.Join(
                baseline.Settings,
                now => (now.PartSizeBytes, now.Concurrency),
                then => (then.PartSizeBytes, then.Concurrency),
                (now, then) => Compare(then, now, report.Metric)),
        ]);

    private static SettingComparison Compare(SettingResult then, SettingResult now, string metric)
    {
        double[] old = Rates(then, metric);
        double[] current = Rates(now, metric);
        (double before, double after) = (Mean(old), Mean(current));
        double? margin = WelchInterval.Margin(old, current);
        double? low = margin is null ? null : Percent(after - before - margin.Value);
        double? high = margin is null ? null : Percent(after - before + margin.Value);
        string verdict = (low, high) switch
        {
            (null, _) => SettingComparison.Unknown,
            ( > 0, _) => SettingComparison.Better,
            (_, < 0) => SettingComparison.Worse,
            _ => SettingComparison.Noise,
        };
        return new SettingComparison(now.PartSizeBytes, now.Concurrency, Math.Round(before, 3), Math.Round(after, 3), Percent(after - before), low, high, verdict);

        double Percent(double difference) => before > 0 ? Math.Round(difference / before * 100, 2) : 0;
    }

    private static double[] Rates(SettingResult setting, string metric) => [.. setting.Runs.Where(run => run.Complete).Select(run => run.RateBy(metric))];

    private static double Mean(double[] values) => values.Length > 0 ? values.Average() : 0;
}
