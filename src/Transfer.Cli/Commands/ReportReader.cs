using System.Text.Json;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads lines of --report as input of another command.</summary>
internal static class ReportReader
{
    /// <summary>Parses a line.</summary>
    /// <returns>Null if it isn't one of a report.</returns>
    public static ReportJson? TryParse(string text)
    {
        try
        {
            return JsonSerializer.Deserialize(text, EventJsonContext.Instance.ReportJson);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>Gets the objects of a line that are under a prefix.</summary>
    /// <param name="line">The line.</param>
    /// <param name="prefix">The bucket and the prefix.</param>
    /// <returns>The source and the target, each null if it isn't such an object.</returns>
    public static (ObjectKey? Source, ObjectKey? Target) GetObjects(ReportJson line, Location prefix)
    {
        // What a line says about an object that failed is what was found before.
        bool isDone = line.Status == ReportJson.Done;
        long? size = isDone && line.Bytes >= 0 ? line.Bytes : null;
        return (
            KeyUnder(line.Source, prefix) is { } source ? new ObjectKey { Key = source, Length = size, ETag = isDone ? GetTag(line.SourceETag) : null } : null,
            KeyUnder(line.Target, prefix) is { } target ? new ObjectKey { Key = target, Length = size, ETag = GetTag(line.Operation == ReportLines.Delete ? line.TargetETagBefore : isDone ? line.TargetETag : null) } : null);
    }

    /// <summary>Gets an ETag; null if the text is none. An unknown ETag only saves nothing.</summary>
    public static string? GetTag(string? text)
        => text?.Trim('"') is { Length: > 0 } tag and not "*" && tag.All(static c => c is > ' ' and < '\x7F' and not '"') ? tag : null;

    private static string? KeyUnder(string? address, Location prefix)
    {
        string root = new Location(LocationKind.S3, string.Empty, prefix.Bucket, string.Empty).ToString();
        return address is not null && address.StartsWith(root, StringComparison.Ordinal) && address.Length > root.Length
            && address.AsSpan(root.Length).StartsWith(prefix.Key, StringComparison.Ordinal)
            ? address[root.Length..]
            : null;
    }
}
