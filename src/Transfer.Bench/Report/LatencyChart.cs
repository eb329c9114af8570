using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The latencies of all settings: a row for each, from P50 to P99.9, on one scale.</summary>
internal static class LatencyChart
{
    private const double Width = 420;
    private const double RowHeight = 22;
    private const double Top = 26;
    private const double Right = 28; // half a label
    private const double LetterWidth = 7.6;

    /// <summary>The ratio of the longest to the shortest time from which the scale is logarithmic, because short times would be invisible on a linear one.</summary>
    private const double LogRatio = 8;

    private const double Shortest = 0.001;

    public static HtmlText Draw(IReadOnlyList<Series> allSeries, string name, Func<SettingResult, LatencyResult?> which)
    {
        SettingResult[] rows = [.. allSeries.SelectMany(series => series.Settings)];
        LatencyResult[] times = [.. rows.Select(which).OfType<LatencyResult>()];
        if (times.Length == 0)
        {
            return HtmlText.From($"<p>No request succeeded, so there are no latencies.</p>");
        }

        double left = 12 + (rows.Max(row => Series.GetName(row).Length) * LetterWidth);
        double bottom = Top + (rows.Length * RowHeight);
        (double min, double max) = (Math.Max(Shortest, times.Min(time => time.P50)), Math.Max(Shortest, times.Max(time => time.P999)));
        Scale scale = max / min >= LogRatio ? Scale.Log(min, max, left, Width - Right, 7) : Scale.Linear(max, left, Width - Right, 4);
        HtmlText svg = HtmlText.From($"""
            <svg viewBox="0 0 {Width} {bottom + 8}" role="img" aria-label="{name} of each setting, from P50 to P99.9. The table below contains the numbers.">
            """);
        foreach (double tick in scale.Ticks)
        {
            double x = scale.At(tick);
            svg.Add($"""<path class="grid" d="M{x} {Top - 6}V{bottom}"/><text class="tick mid" x="{x}" y="12">{Labels.Tick(tick)}</text>""");
        }

        double y = Top + (RowHeight / 2);
        foreach (Series series in allSeries)
        {
            foreach (SettingResult setting in series.Settings)
            {
                svg.Add($"""<text class="{(setting.Best || setting.Knee ? "row strong" : "row")}" x="0" y="{y + 4}">{Series.GetName(setting)}</text>""");
                DrawRow(svg, series, setting, which(setting), scale, y, left);
                y += RowHeight;
            }
        }

        return svg.Add($"</svg>");
    }

    private static void DrawRow(HtmlText svg, Series series, SettingResult setting, LatencyResult? latency, Scale scale, double y, double left)
    {
        if (latency is null)
        {
            svg.Add($"""<text class="tick" x="{left}" y="{y + 4}">no request succeeded</text>""");
            return;
        }

        (double x50, double x999) = (scale.At(latency.P50), scale.At(latency.P999));
        svg.Add($"""
            <g class="tip" data-tip="{Series.GetName(setting)}: {LatencyText.Line(latency)}"><rect class="hit" x="{left}" y="{y - (RowHeight / 2)}" width="{Width - left}" height="{RowHeight}"/>
            <path class="range {series.Color}" d="M{x50} {y}H{x999}M{x999} {y - 5}v10"/><circle class="mark {series.Color}" cx="{x50}" cy="{y}" r="4.5"/>
            """);
        foreach (double time in (double[])[latency.P90, latency.P95])
        {
            svg.Add($"""<path class="range {series.Color}" d="M{scale.At(time)} {y - 3}v6"/>""");
        }

        svg.Add($"""<circle class="open {series.Color}" cx="{scale.At(latency.P99)}" cy="{y}" r="3.5"/></g>""");
    }
}
