using Transfer.Cli.Telemetry;

namespace Transfer.Cli.Options;

/// <summary>The format of a list of keys.</summary>
/// <param name="EndsWithNul">Whether each key ends with a NUL byte, and not with its line.</param>
/// <param name="Columns">The names of the columns of CSV; null for other formats.</param>
/// <param name="Statuses">The statuses of the lines to use of a report of this tool; null for other formats.</param>
internal sealed record KeyListFormat(bool EndsWithNul = false, IReadOnlyList<string>? Columns = null, IReadOnlyList<string>? Statuses = null)
{
    public const string Accepted = "lines, nul, csv, csv: and the names of all columns, with Bucket and Key among them, such as csv:Bucket,Key,Size, "
        + "report, or report: and statuses among done, already, skipped, failed, conflict, and missing, such as report:failed,conflict";

    private const string Bucket = "Bucket";
    private const string Key = "Key";
    private const string Size = "Size";
    private const string ETag = "ETag";
    private const string VersionId = "VersionId";

    private static readonly string[] AllStatuses = [ReportJson.Done, ReportJson.Already, ReportJson.Skipped, ReportJson.Failed, ReportJson.Conflict, ReportJson.Missing];

    public static KeyListFormat Lines { get; } = new();

    public int BucketColumn => IndexOf(Bucket);

    public int KeyColumn => IndexOf(Key);

    /// <summary>Gets the column of sizes; -1 if there is none.</summary>
    public int SizeColumn => IndexOf(Size);

    /// <summary>Gets the column of ETags; -1 if there is none.</summary>
    public int ETagColumn => IndexOf(ETag);

    /// <summary>Gets the column of version IDs; -1 if there is none.</summary>
    public int VersionColumn => IndexOf(VersionId);

    public static bool TryParse(string text, out KeyListFormat format)
    {
        const string withColumns = "csv:";
        const string withStatuses = "report:";
        format = text switch
        {
            "nul" => new KeyListFormat(EndsWithNul: true),
            "csv" => new KeyListFormat(Columns: [Bucket, Key]),
            "report" => new KeyListFormat(Statuses: [ReportJson.Done]),
            _ when text.StartsWith(withColumns, StringComparison.Ordinal) => new KeyListFormat(Columns: Split(text[withColumns.Length..])),
            _ when text.StartsWith(withStatuses, StringComparison.Ordinal) => new KeyListFormat(Statuses: Split(text[withStatuses.Length..])),
            _ => Lines,
        };
        return format.Statuses is { } statuses ? statuses.All(AllStatuses.Contains)
            : format.Columns is null ? text is "lines" or "nul"
            : format is { BucketColumn: >= 0, KeyColumn: >= 0 };
    }

    private static string[] Split(string names) => names.Split(',', StringSplitOptions.TrimEntries);

    private int IndexOf(string column) => Columns is null ? -1 : Columns.ToList().FindIndex(name => name.Equals(column, StringComparison.OrdinalIgnoreCase));
}
