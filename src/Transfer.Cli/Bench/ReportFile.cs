using System.Text.Json;
using Transfer.S3.Bench.Results;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench;

/// <summary>Reads an earlier report.</summary>
internal static class ReportFile
{
    /// <exception cref="UsageException">Thrown when the file can't be read, or isn't a report of this version and operation.</exception>
    public static BenchReport Read(GivenValue file, string operation) => Parse($"{file.Source} got '{file.Text}', which", OptionValues.ReadFile(file), operation);

    /// <param name="subject">The beginning of messages.</param>
    /// <param name="text">The report.</param>
    /// <param name="operation">The operation of the report.</param>
    public static BenchReport Parse(string subject, string text, string operation)
    {
        BenchReport? report;
        try
        {
            using (JsonDocument document = JsonDocument.Parse(text))
            {
                int? version = document.RootElement.ValueKind == JsonValueKind.Object && document.RootElement.TryGetProperty("version", out JsonElement element)
                    && element.TryGetInt32(out int number) ? number : null;
                if (version is not null and not BenchReport.CurrentVersion)
                {
                    throw new UsageException($"{subject} has version {version}; this tool reads version {BenchReport.CurrentVersion}");
                }
            }

            report = JsonSerializer.Deserialize(text, BenchJsonContext.Instance.BenchReport);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw new UsageException($"{subject} is not a result of 'transfer bench --json'", e);
        }

        return report is null ? throw new UsageException($"{subject} is not a result of 'transfer bench --json'")
            : report.Operation == operation ? report
            : throw new UsageException($"{subject} is a result of {report.Operation}; it accepts a result of {operation}");
    }
}
