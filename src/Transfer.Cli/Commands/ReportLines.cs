using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Cli.Commands;

/// <summary>Translates what the library tells about objects into lines of --report.</summary>
internal static class ReportLines
{
    /// <summary>The operation of a deletion.</summary>
    public const string Delete = "delete";

    /// <summary>Gets the line of a copy or a move that has not ended.</summary>
    public static ReportJson Copy(Location source, Location target, bool moves)
        => new() { Operation = moves ? "move" : "copy", Status = ReportJson.Failed, Source = GetAddress(source), Target = GetAddress(target) };

    /// <summary>Gets the line of a deletion that succeeded.</summary>
    public static ReportJson Deleted(Location address, long? bytes, string? etag, string? versionId = null) => new()
    {
        Operation = Delete,
        Status = ReportJson.Done,
        Target = address.ToString(),
        VersionId = versionId,
        Bytes = bytes,
        TargetETagBefore = etag,
    };

    /// <summary>Tells --report and --verbose that the copy of one of many objects has ended.</summary>
    public static void ObjectEnded(this Invocation invocation, Outcome outcome, bool moves) => invocation.ObjectEnded(OfMany(outcome, moves), outcome);

    /// <summary>Tells --report and --verbose that a copy has ended.</summary>
    /// <param name="invocation">The run of the command.</param>
    /// <param name="line">What the copy does.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="statistics">The time and the requests of this object; null if they aren't known.</param>
    public static void ObjectEnded(this Invocation invocation, ReportJson line, Outcome outcome, TransferStatistics? statistics = null)
    {
        invocation.Report?.Add(line, outcome, statistics);
        if (invocation.Telemetry.LogLevel <= LogLevel.Information && outcome.Error is null)
        {
            string verdict = outcome.Verdict is { } known ? $", {known}" : string.Empty;
            string reason = outcome.Status == OutcomeStatus.Done || outcome.Reason is not { } why ? string.Empty : $": {why}";
            string status = outcome.Status == OutcomeStatus.Done ? $"{line.Operation}:" : $"{GetStatus(outcome.Status)}:";
            invocation.Log(LogLevel.Information, Printable.Text($"{status} {line.Source} → {line.Target}, {ByteSize.Format(outcome.Bytes)}{verdict}{reason}"));
        }
    }

    /// <summary>Reports the end of an operation on one of many objects.</summary>
    public static void Add(this ObjectReport report, Outcome outcome, bool moves) => report.Add(OfMany(outcome, moves), outcome);

    private static ReportJson OfMany(Outcome outcome, bool moves) => new()
    {
        Operation = moves ? "move" : outcome.Operation is { } operation ? GetName(operation) : null,
        Status = ReportJson.Failed,
        Source = outcome.Operation == ObjectOperation.Delete ? null : outcome.Source,
        Target = outcome.Target,
    };

    /// <summary>Reports the end of an operation.</summary>
    /// <param name="report">The report.</param>
    /// <param name="line">What the operation does.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="statistics">The time and the requests of this object; null if they aren't known.</param>
    public static void Add(this ObjectReport report, ReportJson line, Outcome outcome, TransferStatistics? statistics = null)
    {
        bool isDone = outcome.Status is OutcomeStatus.Done or OutcomeStatus.Planned;
        line = line with
        {
            Status = GetStatus(outcome.Status),
            VersionId = outcome.VersionId,
            Bytes = isDone || outcome.Bytes > 0 ? outcome.Bytes : null, // what wasn't looked up has no size
            SourceETag = outcome.SourceETag,
            TargetETagBefore = outcome.TargetETagBefore,
            TargetETag = outcome.TargetETag,
            Reason = outcome.Operation is null ? null : GetReason(outcome),
            Requests = statistics?.Requests,
            Retries = statistics?.Retries,
            Seconds = statistics is null ? null : Math.Round(statistics.Elapsed.TotalSeconds, 6),
        };
        if (outcome.Error is { } error)
        {
            report.AddFailure(line, error);
        }
        else
        {
            report.Add(line with
            {
                Checksum = outcome.Verdict is { } verdict ? ChecksumJson.From(verdict) : null,
                Lost = outcome.LostProperties is { Count: > 0 } lost ? lost : null,
            });
        }
    }

    /// <summary>Gets the name of an operation.</summary>
    public static string GetName(ObjectOperation operation) => operation switch
    {
        ObjectOperation.Delete => Delete,
        ObjectOperation.Replace => "replace",
        ObjectOperation.Copy => "copy",
        _ => "compare",
    };

    private static string GetStatus(OutcomeStatus status) => status switch
    {
        OutcomeStatus.Conflict => ReportJson.Conflict,
        OutcomeStatus.Failed => ReportJson.Failed,
        OutcomeStatus.Restoring => ReportJson.Restoring,
        OutcomeStatus.Shielded or OutcomeStatus.Skipped or OutcomeStatus.Archived => ReportJson.Skipped,
        _ => ReportJson.Done,
    };

    private static string? GetReason(Outcome outcome) => outcome.Status is OutcomeStatus.Archived or OutcomeStatus.Restoring ? "archived" : outcome.Reason;

    /// <summary>Gets an address that means the same in every directory; null if there is none.</summary>
    private static string? GetAddress(Location location)
        => location.Kind != LocationKind.Local ? location.ToString() : location.Text.Length == 0 ? null : Path.GetFullPath(location.Text);
}
