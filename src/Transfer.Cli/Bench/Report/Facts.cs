using System.Globalization;
using Transfer.Cli.Bench.Results;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Report;

/// <summary>What was measured, where, with what.</summary>
internal static class Facts
{
    public static HtmlText Of(BenchReport report) => HtmlText.Of($"""
        <dl class="facts">{All(report).Select(fact => HtmlText.Of($"<div><dt>{fact.Name}</dt><dd>{fact.Value}</dd></div>"))}</dl>
        """);

    /// <summary>What was done, as a sentence without an end.</summary>
    public static string Operation(BenchReport report) => report.Operation switch
    {
        "head" => "Headers of objects",
        "get" => "Objects read by ranges",
        "put" => "Objects written in parts",
        "small" => "Small objects, written and read",
        "mixed" => "Objects written and read",
        string other => other,
    };

    public static string Address(BenchReport report) => $"s3://{report.Objects.Bucket}/{report.Objects.Prefix}";

    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("d MMMM yyyy, HH:mm", CultureInfo.InvariantCulture) + " UTC";

    private static IEnumerable<(string Name, string Value)> All(BenchReport report)
    {
        yield return ("operation", $"{report.Operation}: {Operation(report)}");
        yield return ("engine", report.Engine == "sdk" ? "AWSSDK's TransferUtility" : "this library");
        yield return ("store", report.Store);
        yield return ("objects", Objects(report.Objects));
        yield return ("under", Address(report));
        if (report.PacedObjectsPerSecond is { } paced)
        {
            yield return ("load", string.Create(CultureInfo.InvariantCulture, $"{paced:0.###} objects begun a second; times count from when each was due"));
        }

        string memory = report.Client.MemoryLimitBytes is { } limit ? $", {Units.Size(limit)} for parts" : string.Empty;
        yield return ("machine", $"{Units.Count(report.Client.Cores, "core", "cores")}{memory}, {report.Client.Os}, .NET {report.Client.Runtime}");
        yield return ("begun", Time(report.StartedAt));
        yield return ("tool", $"transfer {report.ToolVersion}");
        yield return ("precision", string.Create(CultureInfo.InvariantCulture, $"percentiles within {report.LatencyPrecisionPercent:0.##} %; warm-up in no number"));
    }

    private static string Objects(BenchObjects objects)
    {
        string size = (objects.MinSizeBytes, objects.MaxSizeBytes) switch
        {
            ({ } min, { } max) when min == max => $" of {Units.Size(max)}",
            ({ } min, { } max) => $" of {Units.Size(min)} to {Units.Size(max)}",
            _ => string.Empty,
        };
        return $"{Units.Count(objects.Count, "object", "objects")}{size}{(objects.Generated ? ", made for this and removed" : string.Empty)}";
    }
}
