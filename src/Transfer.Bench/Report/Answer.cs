using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The most important results: the recommended settings, their rates, and warnings.</summary>
internal static class Answer
{
    public static HtmlText Render(BenchReport report)
    {
        SettingResult? best = report.Settings.FirstOrDefault(setting => setting.Best);
        SettingResult? knee = report.Settings.FirstOrDefault(setting => setting.Knee);
        HtmlText html = best is null || knee is null
            ? HtmlText.From($"""<p class="lead">{Notices.Nothing}</p>""")
            : Advice(report, best, knee);
        string[] notices = [.. Notices.From(report)];
        return notices.Length == 0 ? html : html.Add($"""<ul class="notices">{notices.Select(notice => HtmlText.From($"<li>{notice}</li>"))}</ul>""");
    }

    private static HtmlText Advice(BenchReport report, SettingResult best, SettingResult knee)
    {
        HtmlText html = HtmlText.From($"""
            <p class="lead">Use <code id="advice">{report.Advice}</code> <button type="button" id="copy" hidden="hidden">Copy</button></p>
            """);
        if (report.Settings.Count > 1)
        {
            html.Add($"""<p class="note">The lowest concurrency within 5% of the best throughput.</p>""");
        }

        html.Add($"""<dl class="figures">{Rate(report, knee == best ? "best, and the knee" : "best", best)}""");
        if (knee != best)
        {
            html.Add($"{Rate(report, "knee", knee)}");
        }

        if (knee.LatencyMs is { } latency)
        {
            html.Add($"{Figure("request, P50", LatencyText.Milliseconds(latency.P50), "ms", $"P99 {LatencyText.Milliseconds(latency.P99)} ms, {With(knee)}")}");
        }

        if (knee.FirstByteMs is { } first)
        {
            html.Add($"{Figure("first byte, P50", LatencyText.Milliseconds(first.P50), "ms", $"P99 {LatencyText.Milliseconds(first.P99)} ms, {With(knee)}")}");
        }

        return html.Add($"</dl>");
    }

    private static HtmlText Rate(BenchReport report, string name, SettingResult setting)
    {
        string gigabits = report.IsByRequests ? string.Empty : $"{RateText.Gigabits(setting.ThroughputMibPerSecond)} Gb/s, ";
        return Figure(name, RateText.Rate(setting.RateBy(report.Metric)), RateText.Unit(report), gigabits + With(setting));
    }

    private static HtmlText Figure(string name, string value, string unit, string detail) => HtmlText.From($"""
        <div><dt>{name}</dt><dd><b>{value}</b> {unit}<small>{detail}</small></dd></div>
        """);

    private static string With(SettingResult setting) => "with " + Series.GetName(setting);
}
