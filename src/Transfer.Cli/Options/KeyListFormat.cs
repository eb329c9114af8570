using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Cli.Options;

/// <summary>The format of a list of keys.</summary>
/// <param name="EndsWithNul">Whether each key ends with a NUL byte, and not with its line.</param>
/// <param name="Columns">The names of the columns of CSV; null for other formats.</param>
/// <param name="Statuses">The statuses of the lines to use of a report of this tool; null for other formats.</param>
/// <param name="Side">The side of a line of a report to use.</param>
internal sealed record KeyListFormat(bool EndsWithNul = false, IReadOnlyList<string>? Columns = null, IReadOnlyList<string>? Statuses = null, ReportSide Side = ReportSide.Either)
{
    public const string Accepted = "lines, nul, csv, csv: and the names of all columns, with Bucket and Key among them, such as csv:Bucket,Key,Size, "
        + "report, report-source, or report-target, or one of these, a colon, and statuses among done, already, skipped, failed, conflict, and missing, such as report:failed,conflict";

    public const string Bucket = "Bucket";
    public const string Key = "Key";
    public const string Size = "Size";
    public const string ETag = "ETag";
    public const string VersionId = "VersionId";
    public const string IsLatest = "IsLatest";
    public const string IsDeleteMarker = "IsDeleteMarker";

    private static readonly string[] AllStatuses = [ReportJson.Done, ReportJson.Already, ReportJson.Skipped, ReportJson.Failed, ReportJson.Conflict, ReportJson.Missing];

    public static KeyListFormat Lines { get; } = new();

    /// <summary>Gets a value that indicates whether the list tells an ETag for each object: a manifest with a column of ETags, or a report of what was done.</summary>
    public bool HasETags => IndexOf(ETag) >= 0 || (Statuses is { } statuses && statuses.All(static status => status == ReportJson.Done));

    public static bool TryParse(string text, out KeyListFormat format)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        (string name, string[]? rest) = colon < 0 ? (text, null) : (text[..colon], Split(text[(colon + 1)..]));
        format = name switch
        {
            "nul" when rest is null => new KeyListFormat(EndsWithNul: true),
            "csv" => new KeyListFormat(Columns: rest ?? [Bucket, Key]),
            "report" => new KeyListFormat(Statuses: rest ?? [ReportJson.Done]),
            "report-source" => new KeyListFormat(Statuses: rest ?? [ReportJson.Done], Side: ReportSide.Source),
            "report-target" => new KeyListFormat(Statuses: rest ?? [ReportJson.Done], Side: ReportSide.Target),
            _ => Lines,
        };
        return format.Statuses is { } statuses ? statuses.All(AllStatuses.Contains)
            : format.Columns is null ? text is "lines" or "nul"
            : format.IndexOf(Bucket) >= 0 && format.IndexOf(Key) >= 0;
    }

    private static string[] Split(string names) => names.Split(',', StringSplitOptions.TrimEntries);

    /// <summary>Gets the place of a column; -1 if there is none.</summary>
    public int IndexOf(string column) => Columns is null ? -1 : Columns.ToList().FindIndex(name => name.Equals(column, StringComparison.OrdinalIgnoreCase));
}
