using System.Globalization;
using System.Text;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>The rates of the runs of one setting over time, which shows unstable rates, stalls, and slow starts.</summary>
internal static class RunChart
{
    /// <summary>The maximum number of lines that remain distinguishable.</summary>
    public const int MostRuns = 8;

    private const double Width = 200;
    private const double Height = 96;
    private const double Top = 16;
    private const double Bottom = 80;

    /// <summary>The maximum number of intervals that remain distinguishable.</summary>
    private const int MostSteps = 100;

    public static HtmlText Draw(BenchReport report, Series series, SettingResult setting)
    {
        RunResult[] runs = [.. setting.Runs.Take(MostRuns)];
        List<(double End, double Rate)>[] lines = [.. runs.Select(run => Thin([.. run.Samples.Select(sample => (sample.Seconds, sample.RateBy(report.Metric)))]))];
        double longest = lines.SelectMany(line => line).Select(step => step.End).DefaultIfEmpty(0).Max();
        double end = longest > 0 ? longest : 1;
        Scale rate = Scale.Linear(lines.SelectMany(line => line).Select(step => step.Rate).DefaultIfEmpty(0).Max(), Bottom, Top, 5);
        string name = Series.GetName(setting);
        HtmlText svg = HtmlText.From($"""
            <svg viewBox="0 0 {Width} {Height}" role="img" aria-label="{Labels.Rate(report)} over time, {name}: runs of up to {Seconds(longest)}">
            <path class="grid" d="M0 {Top}H{Width}M0 {Bottom}H{Width}"/><text class="tick" x="0" y="11">{Labels.Tick(rate.Ticks[^1])} {RateText.Unit(report)}</text>
            <text class="tick" x="0" y="{Height - 3}">0</text><text class="tick end" x="{Width}" y="{Height - 3}">{Seconds(longest)}</text>
            """);
        for (int i = 0; i < runs.Length; i++)
        {
            StringBuilder path = new("M0 ");
            path.Append(CultureInfo.InvariantCulture, $"{rate.At(lines[i].Count > 0 ? lines[i][0].Rate : 0):0.#}");
            foreach ((double until, double value) in lines[i])
            {
                path.Append(CultureInfo.InvariantCulture, $"V{rate.At(value):0.#}H{until / end * Width:0.#}");
            }

            svg.Add($"""<path class="step {series.Color}{(runs[i].Complete ? string.Empty : " dashed")}" d="{path.ToString()}"/>""");
        }

        return svg.Add($"</svg>");
    }

    /// <summary>Combines neighboring intervals, weighted by their duration.</summary>
    internal static List<(double End, double Rate)> Thin(IReadOnlyList<(double End, double Rate)> steps)
    {
        int each = ((steps.Count - 1) / MostSteps) + 1;
        List<(double, double)> thin = [];
        double began = 0;
        foreach ((double End, double Rate)[] chunk in steps.Chunk(each))
        {
            (double amount, double at) = (0, began);
            foreach ((double end, double rate) in chunk)
            {
                amount += rate * (end - at);
                at = end;
            }

            thin.Add((at, at > began ? amount / (at - began) : 0));
            began = at;
        }

        return thin;
    }

    private static string Seconds(double seconds) => seconds.ToString(seconds < 10 ? "0.0" : "#,0", CultureInfo.InvariantCulture) + " s";
}
