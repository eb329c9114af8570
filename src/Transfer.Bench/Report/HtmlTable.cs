namespace Transfer.S3.Bench.Report;

/// <summary>A table of text. On a narrow screen, it scrolls sideways and keeps its first column.</summary>
internal static class HtmlTable
{
    /// <param name="caption">The caption for screen readers.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">The columns. The first one names the row.</param>
    /// <param name="isStrong">Which rows are highlighted.</param>
    public static HtmlText Create<T>(string caption, IReadOnlyList<T> rows, IReadOnlyList<(string Title, Func<T, string> Text)> columns, Func<T, bool>? isStrong = null) => HtmlText.From($"""
        <div class="scroll" role="region" tabindex="0" aria-label="{caption}"><table>
        <caption class="unseen">{caption}</caption>
        <thead><tr>{columns.Select(column => HtmlText.From($"""<th scope="col">{column.Title}</th>"""))}</tr></thead>
        <tbody>{rows.Select(row => Row(row, columns, isStrong?.Invoke(row) == true))}</tbody>
        </table></div>
        """);

    private static HtmlText Row<T>(T row, IReadOnlyList<(string Title, Func<T, string> Text)> columns, bool isStrong) => HtmlText.From($"""
        <tr{(isStrong ? HtmlText.From($" class=\"strong\"") : null)}><th scope="row">{columns[0].Text(row)}</th>{columns.Skip(1).Select(column => HtmlText.From($"<td>{column.Text(row)}</td>"))}</tr>

        """);
}
