using System.Globalization;
using System.Net;
using System.Text;

namespace Transfer.S3.Benchmarks.Chart;

/// <summary>The chart of the README as SVG: a column for each measure, a row for each operation, and two bars in each cell.</summary>
internal static class ComparisonChart
{
    private const double Width = 840;
    private const double Margin = 20;
    private const double LabelWidth = 136;
    private const double ColumnWidth = 212;
    private const double BarWidth = 150;
    private const double BarHeight = 17;
    private const double BarGap = 3;
    private const double Top = 102;
    private const double RowHeight = 58;
    private const double FooterHeight = 52;

    private static readonly Measure[] Measures =
    [
        new("Throughput", "MiB/s, higher is better", "MiB/s", "N0"),
        new("CPU time", "seconds per GiB, lower is better", "CPU s/GiB", "0.00"),
        new("Peak memory", "MiB, lower is better", "peak MiB", "N0"),
    ];

    private static readonly Operation[] Operations =
    [
        new("Read as a stream", "2 GiB from nginx", "read, 2048 MiB, Nginx", "OpenReadAsync, Stream", "TransferUtility.OpenStreamWithResponse"),
        new("Download to a file", "2 GiB from nginx", "file, 2048 MiB, Nginx", "DownloadAsync to a file", "TransferUtility.DownloadWithResponse"),
        new("Upload a file", "1 GiB to the test server", "upload, 1024 MiB, Discarding", "UploadAsync of a file", "TransferUtility.Upload of a file"),
    ];

    /// <summary>Draws the chart.</summary>
    /// <param name="figures">The measured figures.</param>
    /// <returns>The text of an SVG file.</returns>
    public static string Draw(ComparisonFigures figures)
    {
        double height = Top + (Operations.Length * RowHeight) + FooterHeight;
        StringBuilder svg = new();
        Add(svg, $"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {height}" width="{Width}" height="{height}" role="img">""");
        Add(svg, $"""<title>Throughput, CPU time, and peak memory of Transfer and TransferUtility</title>""");
        svg.Append(Style).Append('\n');
        Add(svg, $"""<rect class="card" x="0.5" y="0.5" width="{Width - 1}" height="{height - 1}" rx="6"/>""");
        DrawLegend(svg);
        for (int i = 0; i < Operations.Length; i++)
        {
            double y = Top + (i * RowHeight);
            Add(svg, $"""<text class="name" x="{Margin}" y="{y + 16}">{Operations[i].Name}</text>""");
            Add(svg, $"""<text class="note" x="{Margin}" y="{y + 33}">{Operations[i].Note}</text>""");
        }

        for (int i = 0; i < Measures.Length; i++)
        {
            DrawMeasure(svg, figures, Measures[i], Margin + LabelWidth + 24 + (i * ColumnWidth));
        }

        Add(svg, $"""<text class="note" x="{Margin}" y="{height - 32}">{WebUtility.HtmlEncode(figures.Fact("Machine"))}</text>""");
        Add(svg, $"""<text class="note" x="{Margin}" y="{height - 15}">{WebUtility.HtmlEncode($"{figures.Fact("Versions")}. Measured {figures.Fact("Date")}.")}</text>""");
        svg.Append("</svg>\n");
        return svg.ToString();
    }

    // The page that shows the chart can't style it, so the chart includes a background and the colors of both themes.
    private const string Style = """
        <style>
        text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; }
        .card { fill: #ffffff; stroke: #d1d9e0; }
        .title { font-size: 15px; font-weight: 600; }
        .name { font-size: 13px; font-weight: 600; }
        .value { font-size: 12px; }
        .note { font-size: 11px; fill: #59636e; }
        .ours { fill: #0969da; }
        .other { fill: #afb8c1; }
        .axis { stroke: #d1d9e0; }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc; }
          .card { fill: #0d1117; stroke: #3d444d; }
          .note { fill: #9198a1; }
          .ours { fill: #4493f8; }
          .other { fill: #656c76; }
          .axis { stroke: #3d444d; }
        }
        </style>
        """;

    private static void DrawLegend(StringBuilder svg)
    {
        Add(svg, $"""<rect class="ours" x="{Margin}" y="20" width="12" height="12" rx="2"/><text class="name" x="{Margin + 18}" y="30.5">Transfer</text>""");
        Add(svg, $"""<rect class="other" x="{Margin + 96}" y="20" width="12" height="12" rx="2"/><text class="name" x="{Margin + 114}" y="30.5">TransferUtility (AWS SDK for .NET)</text>""");
    }

    private static void DrawMeasure(StringBuilder svg, ComparisonFigures figures, Measure measure, double x)
    {
        double most = Operations.Max(one => Math.Max(figures.Value(one.Table, one.Ours, measure.Column), figures.Value(one.Table, one.Other, measure.Column)));
        Add(svg, $"""<text class="title" x="{x}" y="68">{measure.Name}</text><text class="note" x="{x}" y="85">{measure.Note}</text>""");
        Add(svg, $"""<path class="axis" d="M{x - 0.5} {Top - 4}V{Top + (Operations.Length * RowHeight) - 13}"/>""");
        for (int i = 0; i < Operations.Length; i++)
        {
            double y = Top + (i * RowHeight);
            DrawBar(svg, "ours", figures.Value(Operations[i].Table, Operations[i].Ours, measure.Column), y);
            DrawBar(svg, "other", figures.Value(Operations[i].Table, Operations[i].Other, measure.Column), y + BarHeight + BarGap);
        }

        void DrawBar(StringBuilder target, string kind, double value, double y)
        {
            double width = Math.Max(1, Math.Round(BarWidth * value / most, 1));
            string text = value.ToString(measure.Format, CultureInfo.InvariantCulture);
            Add(target, $"""<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{BarHeight}"/><text class="value" x="{x + width + 6}" y="{y + 13}">{text}</text>""");
        }
    }

    private static void Add(StringBuilder svg, FormattableString line) => svg.Append(line.ToString(CultureInfo.InvariantCulture)).Append('\n');

    private sealed record Measure(string Name, string Note, string Column, string Format);

    private sealed record Operation(string Name, string Note, string Table, string Ours, string Other);
}
