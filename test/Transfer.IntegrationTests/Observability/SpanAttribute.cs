namespace Transfer.S3.IntegrationTests.Observability;

/// <summary>A row of the documentation's table of the attributes of request spans.</summary>
/// <param name="Name">The name of the attribute.</param>
/// <param name="Stability">The stability of the name.</param>
/// <param name="On">The spans that have it.</param>
internal sealed record SpanAttribute(string Name, string Stability, string On)
{
    private const string Header = "| Attribute | Stability | Operations | Value |";

    /// <summary>Gets the operations that the row names.</summary>
    public IReadOnlyList<string> Operations { get; } = [.. MarkdownPages.Spans(On)];

    public static SpanAttribute[] Read()
    {
        SpanAttribute[] rows =
        [
            .. MarkdownPages.Lines("docs/observability.md").SkipWhile(static line => line != Header).Skip(2).TakeWhile(static line => line.StartsWith('|'))
                .Select(static line => line.Split('|', StringSplitOptions.TrimEntries)).Select(static cells => new SpanAttribute(cells[1].Trim('`'), cells[2], cells[3])),
        ];
        Assert.NotEmpty(rows);
        return rows;
    }

    /// <summary>Returns whether the span of an operation that has succeeded in a store that isn't Amazon S3 has the attribute.</summary>
    public bool IsOfSuccess(string operation) => On switch
    {
        "All" => true,
        "Those that fail" or "All, in Amazon S3" => false,
        _ when On.StartsWith("All except ", StringComparison.Ordinal) => !Operations.Contains(operation),
        _ => Operations.Contains(operation),
    };
}
