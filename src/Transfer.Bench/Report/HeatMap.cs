using System.Globalization;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>A heat map of the rates by part size and concurrency. It is a table, so that it can be read without colors.</summary>
internal static class HeatMap
{
    /// <summary>The number of shades in page.css.</summary>
    private const int Shades = 10;

    public static HtmlText Draw(BenchReport report, IReadOnlyList<Series> allSeries)
    {
        int?[] columns = [.. report.Settings.Select(setting => setting.Concurrency).Distinct().OrderBy(value => value ?? int.MaxValue)];
        double best = report.Settings.Max(setting => setting.RateBy(report.Metric));
        bool hasParts = allSeries.Any(series => series.PartSizeBytes is not null);
        return HtmlText.From($"""
            <div class="scroll" role="region" tabindex="0" aria-label="Heat map"><table class="heat">
            <caption class="unseen">{Labels.Rate(report)} in {RateText.Unit(report)} by part size and concurrency</caption>
            <thead><tr><th scope="col">{(hasParts ? "part size" : string.Empty)}</th>{columns.Select(value => HtmlText.From($"""<th scope="col">{Text(value)}</th>"""))}</tr></thead>
            <tbody>{allSeries.Select(series => Row(series))}</tbody>
            </table></div>
            """);

        HtmlText Row(Series series) => HtmlText.From($"""
            <tr><th scope="row">{(hasParts ? series.Name : RateText.Unit(report))}</th>{columns.Select(value => Cell(series.Settings.FirstOrDefault(setting => setting.Concurrency == value)))}</tr>
            """);

        HtmlText Cell(SettingResult? setting)
        {
            if (setting is null)
            {
                return HtmlText.From($"<td>–</td>"); // the benchmark was interrupted before these settings
            }

            double share = best > 0 ? setting.RateBy(report.Metric) / best : 0;
            int shade = Math.Clamp((int)(share * Shades), 0, Shades - 1);
            HtmlText mark = setting.Best || setting.Knee ? HtmlText.From($"<small>{MarkText.Format(setting)}</small>") : new HtmlText();
            string tip = string.Create(CultureInfo.InvariantCulture, $"{Labels.GetRate(report, setting)}; {share * 100:0}% of the best");
            return HtmlText.From($"""<td class="tip h{shade}{(setting.Best ? " ringed" : string.Empty)}" data-tip="{tip}">{RateText.Rate(setting.RateBy(report.Metric))}{mark}</td>""");
        }
    }

    private static string Text(int? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "auto";
}
