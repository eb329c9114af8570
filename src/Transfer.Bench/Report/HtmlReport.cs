using System.Security.Cryptography;
using System.Text;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>
/// A report as one HTML page without external resources: charts are drawn as SVG, each with a table. The content security policy only allows the page's own style and
/// script, by their digests, so that no text from a store can run.
/// </summary>
internal static class HtmlReport
{
    private const int MostPanels = 64;
    private static readonly string Style = Resource("page.css");
    private static readonly string Script = Resource("page.js");

    public static string Render(BenchReport report)
    {
        IReadOnlyList<Series> series = Series.From(report);
        HtmlText body = HtmlText.From($"{Header(report)}{Section("answer", "Result", Answer.Render(report))}");
        if (report.Settings.Count > 0)
        {
            AddMeasured(body, report, series);
        }

        body.Add($"{Section("facts", "What was measured", Facts.Render(report))}");
        if (report.Errors.Count > 0)
        {
            body.Add($"{Section("errors", "Errors", Errors(report))}");
        }

        return HtmlText.From($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {Digest(Style)}; script-src {Digest(Script)}; base-uri 'none'; form-action 'none'"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <title>transfer bench {report.Operation}, {Facts.Address(report)}</title>
            <style>{HtmlText.Raw(Style)}</style>
            </head>
            <body>
            <main>
            {body}</main>
            <script>{HtmlText.Raw(Script)}</script>
            </body>
            </html>

            """).ToString();
    }

    private static void AddMeasured(HtmlText body, BenchReport report, IReadOnlyList<Series> allSeries)
    {
        SettingResult[] settings = [.. allSeries.SelectMany(series => series.Settings)];
        RateChart rates = new(report, allSeries);
        body.Add($"""
            {Section("rate", $"{Labels.Rate(report)} by concurrency", HtmlText.From($"""
                <figure>{Legend(allSeries)}{rates.Draw(960, 400, "wide")}{rates.Draw(380, 320, "narrow")}
                <figcaption>Mean of the runs. The ranges show the slowest and the fastest run.</figcaption></figure>
                """))}
            """);
        if (settings.Length > 1)
        {
            body.Add($"{Section("sweep", "All combinations", HtmlText.From($"{HeatMap.Draw(report, allSeries)}<p class=\"note\">{RateText.Unit(report)} by part size and concurrency. Stronger colors are closer to the best.</p>"))}");
        }

        body.Add($"""
            {Section("settings", "Settings", Tables.Settings(report, settings))}
            {Section("latency", "Latency", Latency(report, allSeries, settings))}
            {Section("time", "Rate over time", OverTime(report, allSeries, settings))}
            """);
        if (report.Comparison is { } comparison)
        {
            body.Add($"{Section("comparison", "Comparison with an earlier result", Compared(report, comparison))}");
        }
    }

    private static HtmlText Header(BenchReport report) => HtmlText.From($"""
        <header>
        <p class="eyebrow">transfer bench {report.Operation} <button type="button" id="theme" hidden="hidden">Dark</button></p>
        <h1>{Facts.Address(report)}</h1>
        <p class="note">{Facts.Operation(report)}, {report.Store}, {Facts.Time(report.StartedAt)}</p>
        </header>

        """);

    private static HtmlText Section(string id, string title, HtmlText content) => HtmlText.From($"""
        <section id="{id}" aria-labelledby="{id}-title">
        <h2 id="{id}-title">{title}</h2>
        {content}
        </section>

        """);

    private static HtmlText? Legend(IReadOnlyList<Series> allSeries) => allSeries.All(series => series.PartSizeBytes is null) ? null : HtmlText.From($"""
        <ul class="legend" aria-label="Part sizes">{allSeries.Select(series => HtmlText.From($"""
        <li><svg class="key" viewBox="0 0 26 14" aria-hidden="true"><path class="line {series.Color}" d="M0 7H26"/>{series.Mark(13, 7)}</svg>{series.Name}</li>
        """))}</ul>
        """);

    private static HtmlText Latency(BenchReport report, IReadOnlyList<Series> allSeries, SettingResult[] settings) => HtmlText.From($"""
        <div class="pair">
        <figure><h3>Time to first byte, ms</h3>{LatencyChart.Draw(allSeries, "Time to first byte", setting => setting.FirstByteMs)}</figure>
        <figure><h3>Whole request, ms</h3>{LatencyChart.Draw(allSeries, "Latency of whole requests", setting => setting.LatencyMs)}</figure>
        </div>
        <p class="note">The mark is the median, the strokes are P90 and P95, the ring is P99, and the bar is P99.9.</p>
        <details><summary>First byte as a table, in ms</summary>{Tables.Latencies(report, "Time to first byte, in ms", settings, one => one.FirstByteMs, kind => kind.FirstByteMs)}</details>
        <details><summary>Whole request as a table, in ms</summary>{Tables.Latencies(report, "Latency of whole requests, in ms", settings, one => one.LatencyMs, kind => kind.LatencyMs)}</details>
        """);

    private static HtmlText OverTime(BenchReport report, IReadOnlyList<Series> allSeries, SettingResult[] settings)
    {
        (Series Series, SettingResult Setting)[] panels = [.. allSeries.SelectMany(series => series.Settings, (series, setting) => (series, setting))];
        string left = settings.Any(setting => setting.Runs.Count > RunChart.MostRuns) ? $" Only the first {RunChart.MostRuns} runs are drawn." : string.Empty;
        string others = panels.Length > MostPanels ? $" Only the first {MostPanels} of {panels.Length} settings are drawn." : string.Empty;
        return HtmlText.From($"""
            <div class="panels">{panels.Take(MostPanels).Select(panel => HtmlText.From($"""
            <figure><h3>{Series.GetName(panel.Setting)}{(panel.Setting.Best || panel.Setting.Knee ? HtmlText.From($" <small>{MarkText.Format(panel.Setting)}</small>") : null)}</h3>{RunChart.Draw(report, panel.Series, panel.Setting)}</figure>
            """))}</div>
            <p class="note">One line for each run. Each chart has its own scale, from zero.{left}{others}</p>
            <details><summary>Runs as a table</summary>{Tables.Runs(report, settings)}</details>
            """);
    }

    private static HtmlText Compared(BenchReport report, BenchComparison comparison) => HtmlText.From($"""
        <p class="note">Compared with the result of {Facts.Time(comparison.BaselineStartedAt)} ({comparison.BaselineEngine}); intervals contain the difference with {(long)comparison.ConfidencePercent}% confidence.</p>
        {(comparison.Settings.Count > 0 ? Tables.Compared(report, comparison) : HtmlText.From($"<p>No settings are in both results.</p>"))}
        """);

    private static HtmlText Errors(BenchReport report) => HtmlTable.Create(
        "Errors", report.Errors, [("key", error => error.Key ?? "-"), ("error", error => error.Error), ("request ID", error => error.RequestId ?? "-")]);

    private static string Digest(string text) => $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}'";

    private static string Resource(string name)
    {
        using Stream stream = typeof(HtmlReport).Assembly.GetManifestResourceStream(name)!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
