namespace Transfer.S3.Bench.Results;

/// <summary>The comparison of one setting with an earlier result.</summary>
/// <param name="PartSizeBytes">The part size of the setting.</param>
/// <param name="Concurrency">The concurrency of the setting.</param>
/// <param name="BaselineRate">The earlier mean, in the unit of the metric.</param>
/// <param name="Rate">The current mean.</param>
/// <param name="ChangePercent">The difference of the means, in percent of the earlier mean.</param>
/// <param name="ChangeLowPercent">The lower end of the confidence interval; null if there are too few runs.</param>
/// <param name="ChangeHighPercent">The upper end of the confidence interval.</param>
/// <param name="Verdict">better, worse, noise if the interval contains zero, or unknown if there are too few runs.</param>
internal sealed record SettingComparison(
    long? PartSizeBytes, int? Concurrency, double BaselineRate, double Rate, double ChangePercent, double? ChangeLowPercent, double? ChangeHighPercent, string Verdict)
{
    public const string Better = "better";
    public const string Worse = "worse";
    public const string Noise = "noise";
    public const string Unknown = "unknown";
}
