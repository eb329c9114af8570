using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Sweep;

/// <summary>Finds the best setting, and the one to recommend.</summary>
internal static class Knee
{
    /// <summary>The difference from the best that doesn't matter.</summary>
    private const double Within = 0.05;

    /// <summary>Marks both settings.</summary>
    /// <returns>The marked settings, and the knee; null if no setting has a rate.</returns>
    public static (IReadOnlyList<SettingResult> Settings, SettingResult? Knee) Mark(IReadOnlyList<SettingResult> settings, string metric)
    {
        // Interrupted settings only count if there are no others.
        SettingResult[] ranked = [.. settings.Where(setting => setting.Runs.Any(run => run.Complete))];
        ranked = ranked.Length > 0 ? ranked : [.. settings];
        if (ranked.Length == 0)
        {
            return (settings, null);
        }

        SettingResult best = ranked.MaxBy(setting => setting.RateBy(metric))!;
        if (best.RateBy(metric) <= 0)
        {
            return (settings, null); // everything failed, so nothing is the best
        }

        SettingResult knee = ranked
            .Where(setting => setting.RateBy(metric) >= best.RateBy(metric) * (1 - Within))
            .OrderBy(setting => setting.Concurrency ?? int.MaxValue)
            .ThenByDescending(setting => setting.RateBy(metric))
            .First();
        SettingResult[] marked = [.. settings.Select(setting => setting with { Best = setting == best, Knee = setting == knee })];
        return (marked, marked[settings.Index().First(one => one.Item == knee).Index]);
    }
}
