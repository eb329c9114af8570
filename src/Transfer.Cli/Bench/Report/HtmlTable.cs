namespace Transfer.Cli.Bench.Report;

/// <summary>A table of text. On a narrow screen it scrolls by itself, and its first column stays.</summary>
internal static class HtmlTable
{
    /// <param name="caption">What it is of, for those who do not see what stands above it.</param>
    /// <param name="rows">Its rows.</param>
    /// <param name="columns">Their cells; the first names the row.</param>
    /// <param name="isStrong">Which rows stand out.</param>
    public static HtmlText Of<T>(string caption, IReadOnlyList<T> rows, IReadOnlyList<(string Title, Func<T, string> Text)> columns, Func<T, bool>? isStrong = null) => HtmlText.Of($"""
        <div class="scroll" role="region" tabindex="0" aria-label="{caption}"><table>
        <caption class="unseen">{caption}</caption>
        <thead><tr>{columns.Select(column => HtmlText.Of($"""<th scope="col">{column.Title}</th>"""))}</tr></thead>
        <tbody>{rows.Select(row => Row(row, columns, isStrong?.Invoke(row) == true))}</tbody>
        </table></div>
        """);

    private static HtmlText Row<T>(T row, IReadOnlyList<(string Title, Func<T, string> Text)> columns, bool isStrong) => HtmlText.Of($"""
        <tr{(isStrong ? HtmlText.Of($" class=\"strong\"") : null)}><th scope="row">{columns[0].Text(row)}</th>{columns.Skip(1).Select(column => HtmlText.Of($"<td>{column.Text(row)}</td>"))}</tr>

        """);
}
