using Transfer.Cli.Bench.Results;
using Transfer.Cli.Bench.Sweep;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Display;

/// <summary>What makes a result worth less than it looks, in sentences.</summary>
internal static class Notices
{
    /// <summary>In place of advice, where no setting has a rate.</summary>
    public const string Nothing = "Nothing came through, so there is no setting to recommend.";

    private const double ShortestSeconds = 1;

    public static IEnumerable<string> Of(BenchReport report)
    {
        if (report.Interrupted)
        {
            yield return "Interrupted: this is what was measured until then.";
        }

        if (report.Client.CpuSaturated)
        {
            IEnumerable<string> where = report.Settings.Where(setting => setting.CpuSaturated).Select(setting => new Setting(setting.PartSizeBytes, setting.Concurrency).ToString());
            yield return $"This machine was the limit in {string.Join(" and ", where)}: its {Units.Count(report.Client.Cores, "core was", "cores were")} busy. The store may be able to do more.";
        }

        if (report.Settings.Any(setting => setting.Runs.Any(run => run.Complete && run.Seconds < ShortestSeconds)))
        {
            yield return "Runs of less than a second say little: raise --count, or give --duration.";
        }
    }
}
