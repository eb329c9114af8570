namespace Transfer.Cli.Bench.Results;

/// <summary>One setting then and now, by the rates of its runs.</summary>
/// <param name="PartSizeBytes">As in the setting.</param>
/// <param name="Concurrency">As in the setting.</param>
/// <param name="BaselineRate">The mean then, in the unit of the report's metric.</param>
/// <param name="Rate">The mean now.</param>
/// <param name="ChangePercent">The difference of the means, in percent of the mean then.</param>
/// <param name="ChangeLowPercent">The interval's lower end; null where there are too few runs to tell.</param>
/// <param name="ChangeHighPercent">Its upper end.</param>
/// <param name="Verdict">better, worse, noise where the interval has zero in it, or unknown where there are too few runs to tell.</param>
internal sealed record SettingComparison(
    long? PartSizeBytes, int? Concurrency, double BaselineRate, double Rate, double ChangePercent, double? ChangeLowPercent, double? ChangeHighPercent, string Verdict)
{
    public const string Better = "better";
    public const string Worse = "worse";
    public const string Noise = "noise";
    public const string Unknown = "unknown";
}
