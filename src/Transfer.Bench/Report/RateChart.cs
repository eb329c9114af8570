using System.Globalization;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The rate by concurrency: a line for each part size, with ranges from the slowest to the fastest run.</summary>
/// <param name="report">The report.</param>
/// <param name="allSeries">The settings by part size.</param>
internal sealed class RateChart(BenchReport report, IReadOnlyList<Series> allSeries)
{
    private const double Left = 48;
    private const double Top = 30;
    private const double Bottom = 46;
    private const double Right = 8;
    private const double Cap = 3;
    private const double Apart = 5;
    private const double LetterWidth = 8.5;

    /// <summary>The space above the highest value, for labels.</summary>
    private const double Headroom = 1.06;

    public HtmlText Draw(double width, double height, string layout)
    {
        (double bottom, double right) = (height - Bottom, width - Right);
        Scale rates = Scale.Linear(report.Settings.Max(setting => setting.RateMaxBy(report.Metric)) * Headroom, bottom, Top, 5);
        ConcurrencyAxis axis = new(report.Settings.Select(setting => setting.Concurrency), Left, right);
        string label = $"{Labels.Rate(report)} by concurrency. The table of settings contains the numbers.";
        HtmlText svg = HtmlText.From($"""<svg class="{layout}" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">""");
        foreach (double tick in rates.Ticks)
        {
            double y = rates.At(tick);
            svg.Add($"""<path class="grid" d="M{Left} {y}H{right}"/><text class="tick end" x="{Left - 8}" y="{y + 4}">{Labels.Tick(tick)}</text>""");
        }

        svg.Add($"""<text class="axis" x="0" y="12">{RateText.Unit(report)}</text>""");
        foreach (int? value in axis.Labels)
        {
            double x = axis.At(value);
            svg.Add($"""<path class="grid" d="M{x} {bottom}v5"/><text class="tick mid" x="{x}" y="{bottom + 19}">{value?.ToString(CultureInfo.InvariantCulture) ?? "auto"}</text>""");
        }

        if (axis.AutoBegins is { } begins)
        {
            svg.Add($"""<path class="grid dashed" d="M{begins} {Top}V{bottom}"/>""");
        }

        svg.Add($"""<text class="axis mid" x="{(Left + right) / 2}" y="{height - 6}">concurrent requests</text>""");
        double apart = Math.Min(Apart, 20.0 / allSeries.Count);
        foreach (Series series in allSeries)
        {
            double shift = (series.Index - ((allSeries.Count - 1) / 2.0)) * apart;
            DrawSeries(svg, series, setting => (axis.At(setting.Concurrency) + shift, rates.At(setting.RateBy(report.Metric))), rates);
        }

        foreach (SettingResult setting in report.Settings.Where(setting => setting.Best || setting.Knee))
        {
            Series series = allSeries.First(one => one.PartSizeBytes == setting.PartSizeBytes);
            double x = axis.At(setting.Concurrency) + ((series.Index - ((allSeries.Count - 1) / 2.0)) * apart);
            DrawNote(svg, setting, x, rates, Left, width);
        }

        return svg.Add($"</svg>");
    }

    private void DrawSeries(HtmlText svg, Series series, Func<SettingResult, (double X, double Y)> at, Scale rates)
    {
        // Auto isn't a number, so the line doesn't include it.
        (double X, double Y)[] line = [.. series.Settings.Where(setting => setting.Concurrency is not null).Select(at)];
        if (line.Length > 1)
        {
            string points = string.Join(' ', line.Select(point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#},{point.Y:0.#}")));
            svg.Add($"""<polyline class="line {series.Color}" points="{points}"/>""");
        }

        foreach (SettingResult setting in series.Settings)
        {
            (double x, double y) = at(setting);
            (double low, double high) = (rates.At(setting.RateMinBy(report.Metric)), rates.At(setting.RateMaxBy(report.Metric)));
            svg.Add($"""<g class="tip" data-tip="{Labels.GetRate(report, setting)}"><circle class="hit" cx="{x}" cy="{y}" r="12"/>""");
            if (low - high > 1)
            {
                svg.Add($"""<path class="range {series.Color}" d="M{x} {low}V{high}M{x - Cap} {low}h{Cap * 2}M{x - Cap} {high}h{Cap * 2}"/>""");
            }

            svg.Add($"{series.Mark(x, y)}</g>");
        }
    }

    private void DrawNote(HtmlText svg, SettingResult setting, double x, Scale rates, double from, double to)
    {
        // The label of the best is above and that of the recommended one below, so that they don't overlap.
        double rate = setting.RateBy(report.Metric);
        double y = setting.Best ? rates.At(setting.RateMaxBy(report.Metric)) - 11 : rates.At(setting.RateMinBy(report.Metric)) + 22;
        string note = $"{MarkText.Format(setting)} {RateText.Rate(rate)}";
        double half = note.Length * LetterWidth / 2;
        svg.Add($"""
            <circle class="ring{(setting.Best ? string.Empty : " dashed")}" cx="{x}" cy="{rates.At(rate)}" r="8.5"/>
            <text class="note mid" x="{Math.Clamp(x, from + half, to - half)}" y="{y}">{note}</text>
            """);
    }
}
