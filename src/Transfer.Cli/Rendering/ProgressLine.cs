namespace Transfer.S3.Cli.Rendering;

/// <summary>Renders a progress line for any width. Less important fields are omitted first.</summary>
internal static class ProgressLine
{
    private const int MinBarCells = 8;
    private const int MaxBarCells = 40;
    private const int MinNameCells = 8;
    private const int MaxNameCells = 32;
    private const string Gap = "  ";

    /// <summary>Renders the line. It is never wider than <paramref name="width"/> cells.</summary>
    public static string Render(string name, TransferProgress progress, int width, ProgressStyle style, bool ofMany = false, ProgressActivity? activity = null)
    {
        ProgressFields progressed = ProgressFields.From(progress, ofMany, activity);
        bool bar = progressed.Fraction is not null;
        foreach (string[] fields in progressed.Choices)
        {
            string text = string.Join(Gap, fields.Where(field => field.Length > 0));
            int space = width - text.Length - Gap.Length;
            int barCells = bar ? Math.Clamp((space - Gap.Length) / 2, 0, MaxBarCells) : 0;
            int nameCells = Math.Min(Math.Min(MaxNameCells, CellText.Width(name)), space - (barCells > 0 ? barCells + Gap.Length : 0));
            if (barCells >= MinBarCells && nameCells >= Math.Min(MinNameCells, CellText.Width(name)))
            {
                return CellText.Fit(name, nameCells, style.Mark) + Gap + style.Bar(progressed.Fraction!.Value, barCells) + Gap + text;
            }

            if (!bar && nameCells >= Math.Min(MinNameCells, CellText.Width(name)))
            {
                return CellText.Fit(name, nameCells, style.Mark) + Gap + text;
            }
        }

        string least = progressed.Choices[^1][0];
        return least.Length <= width ? least : string.Empty;
    }

    /// <summary>Renders the line for a log: all fields, without a bar.</summary>
    public static string RenderPlain(string name, TransferProgress progress, bool ofMany = false) => $"{name}: {ProgressFields.From(progress, ofMany).Plain}";
}
