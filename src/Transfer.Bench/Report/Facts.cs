using System.Globalization;
using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>What was measured, and with what.</summary>
internal static class Facts
{
    public static HtmlText Render(BenchReport report) => HtmlText.From($"""
        <dl class="facts">{All(report).Select(fact => HtmlText.From($"<div><dt>{fact.Name}</dt><dd>{fact.Value}</dd></div>"))}</dl>
        """);

    /// <summary>Gets a title for the operation.</summary>
    public static string Operation(BenchReport report) => report.Operation switch
    {
        "head" => "Properties of objects (HEAD)",
        "get" => "Downloads in ranges",
        "put" => "Uploads in parts",
        "small" => "Uploads and downloads of small objects",
        "mixed" => "Uploads and downloads",
        string other => other,
    };

    public static string Address(BenchReport report) => $"s3://{report.Objects.Bucket}/{report.Objects.Prefix}";

    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("d MMMM yyyy, HH:mm", CultureInfo.InvariantCulture) + " UTC";

    private static IEnumerable<(string Name, string Value)> All(BenchReport report)
    {
        yield return ("operation", $"{report.Operation}: {Operation(report)}");
        yield return ("engine", report.Engine == "sdk" ? "TransferUtility of the AWS SDK" : "this library");
        yield return ("store", report.Store);
        yield return ("objects", Objects(report.Objects));
        yield return ("address", Address(report));
        if (report.PacedObjectsPerSecond is { } paced)
        {
            yield return ("load", string.Create(CultureInfo.InvariantCulture, $"{paced:0.###} objects started per second; latency counts from the scheduled start"));
        }

        string memory = report.Client.MemoryLimitBytes is { } limit ? $", {ByteSize.Format(limit)} for buffers" : string.Empty;
        yield return ("machine", $"{Units.Count(report.Client.Cores, "core", "cores")}{memory}, {report.Client.Os}, .NET {report.Client.Runtime}");
        yield return ("started", Time(report.StartedAt));
        yield return ("tool", $"transfer {report.ToolVersion}");
        yield return ("precision", string.Create(CultureInfo.InvariantCulture, $"percentiles within {report.LatencyPrecisionPercent:0.##}%; warm-up runs are not included"));
    }

    private static string Objects(BenchObjects objects)
    {
        string size = (objects.MinSizeBytes, objects.MaxSizeBytes) switch
        {
            ({ } min, { } max) when min == max => $" of {ByteSize.Format(max)}",
            ({ } min, { } max) => $" of {ByteSize.Format(min)} to {ByteSize.Format(max)}",
            _ => string.Empty,
        };
        return $"{Units.Count(objects.Count, "object", "objects")}{size}{(objects.Generated ? ", created for the benchmark and deleted" : string.Empty)}";
    }
}
