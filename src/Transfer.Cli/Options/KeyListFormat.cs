namespace Transfer.Cli.Options;

/// <summary>The format of a list of keys.</summary>
/// <param name="EndsWithNul">Whether each key ends with a NUL byte, and not with its line.</param>
/// <param name="Columns">The names of the columns of CSV; null for plain keys.</param>
internal sealed record KeyListFormat(bool EndsWithNul = false, IReadOnlyList<string>? Columns = null)
{
    public const string Accepted = "lines, nul, csv, or csv: and the names of all columns, with Bucket and Key among them, such as csv:Bucket,Key,Size";

    private const string Bucket = "Bucket";
    private const string Key = "Key";
    private const string VersionId = "VersionId";

    public static KeyListFormat Lines { get; } = new();

    public int BucketColumn => IndexOf(Bucket);

    public int KeyColumn => IndexOf(Key);

    /// <summary>Gets the column of version IDs; -1 if there is none.</summary>
    public int VersionColumn => IndexOf(VersionId);

    public static bool TryParse(string text, out KeyListFormat format)
    {
        const string withColumns = "csv:";
        format = text switch
        {
            "nul" => new KeyListFormat(EndsWithNul: true),
            "csv" => new KeyListFormat(Columns: [Bucket, Key]),
            _ when text.StartsWith(withColumns, StringComparison.Ordinal) => new KeyListFormat(Columns: text[withColumns.Length..].Split(',', StringSplitOptions.TrimEntries)),
            _ => Lines,
        };
        return format.Columns is null ? text is "lines" or "nul" : format is { BucketColumn: >= 0, KeyColumn: >= 0 };
    }

    private int IndexOf(string column) => Columns is null ? -1 : Columns.ToList().FindIndex(name => name.Equals(column, StringComparison.OrdinalIgnoreCase));
}
