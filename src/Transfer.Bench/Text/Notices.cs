using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Bench.Text;

/// <summary>Gets warnings about a result.</summary>
internal static class Notices
{
    /// <summary>Replaces the recommendation if no settings have a rate.</summary>
    public const string Nothing = "No transfer succeeded, so there are no settings to recommend.";

    private const double ShortestSeconds = 1;

    public static IEnumerable<string> From(BenchReport report)
    {
        if (report.Interrupted)
        {
            yield return "Interrupted: these are the results so far.";
        }

        if (report.Client.CpuSaturated)
        {
            IEnumerable<string> where = report.Settings.Where(setting => setting.CpuSaturated).Select(setting => new Setting(setting.PartSizeBytes, setting.Concurrency).ToString());
            yield return $"This machine limited {string.Join(" and ", where)}: its {Units.Count(report.Client.Cores, "core was", "cores were")} busy. The store may be faster.";
        }

        if (report.Settings.Any(setting => setting.Runs.Any(run => run.Complete && run.Seconds < ShortestSeconds)))
        {
            yield return "Runs of less than a second are not reliable. Increase --count or --duration.";
        }
    }
}
