namespace Transfer.S3.Cli.Rendering;

/// <summary>Writes aligned columns of plain text.</summary>
internal static class TextTable
{
    private const string Gap = "  ";

    public static void Write(TextWriter writer, string[] titles, IReadOnlyList<string[]> rows, bool[] rightAligned)
    {
        int[] widths = [.. titles.Select((title, column) => rows.Select(row => CellText.Width(row[column])).Append(CellText.Width(title)).Max())];
        foreach (string[] row in rows.Prepend(titles))
        {
            IEnumerable<string> cells = row.Select((cell, column) =>
            {
                string padding = new(' ', widths[column] - CellText.Width(cell));
                return rightAligned[column] ? padding + cell : cell + padding;
            });
            writer.WriteLine(string.Join(Gap, cells).TrimEnd());
        }
    }
}
