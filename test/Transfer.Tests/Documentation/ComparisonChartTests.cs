using Transfer.S3.Benchmarks.Chart;

namespace Transfer.S3.Tests.Documentation;

public sealed class ComparisonChartTests
{
    private static readonly string Folder = Path.Combine(MarkdownPages.Root, "docs", "images");

    [Fact]
    public void ChartOfTheReadme_MatchesTheFiguresNextToIt()
    {
        ComparisonFigures figures = ComparisonFigures.Parse(File.ReadAllLines(Path.Combine(Folder, "comparison.txt")));

        Assert.Equal(ComparisonChart.Draw(figures), File.ReadAllText(Path.Combine(Folder, "comparison.svg")));
    }

    [Fact]
    public void Parse_OutputOfCompare_HasFactsAndValues()
    {
        ComparisonFigures figures = ComparisonFigures.Parse(
        [
            "Machine: two cores",
            "",
            "### read, 8 MiB, Nginx, 5 rounds",
            "",
            "| | MiB/s | × | peak MiB | server CPU s/GiB |",
            "|---|---:|---:|---:|---:|",
            "| A | 1,094 | 1.00 | 94 | 0.10 |",
            "",
            "| | share |",
            "|---|---:|",
            "| A | 0.9 |",
        ]);

        Assert.Equal("two cores", figures.Fact("Machine"));
        Assert.Equal(1094, figures.Value("read, 8 MiB, Nginx", "A", "MiB/s"));
        Assert.Equal(94, figures.Value("read, 8 MiB, Nginx", "A", "peak MiB"));
        Assert.Throws<InvalidDataException>(() => figures.Value("read, 8 MiB, Nginx", "B", "MiB/s"));
    }
}
