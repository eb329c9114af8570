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

    /// <summary>Gets the line of an object that was not copied or moved although nothing failed.</summary>
    public static ReportJson NotCopied(Location source, Location target, bool moves, OutcomeStatus status) => NotCopied(Copy(source, target, moves), status);

    /// <summary>Gets the line of a copy or a move that succeeded.</summary>
    public static ReportJson Copied(Location source, Location target, bool moves, CopyOutcome outcome)
        => WithResult(Copy(source, target, moves), outcome.Statistics.BytesTransferred, outcome.Verdict, outcome.Lost, outcome.SourceETag, outcome.TargetETag) with
        {
            Requests = outcome.Statistics.Requests,
            Retries = outcome.Statistics.Retries,
            Seconds = Math.Round(outcome.Statistics.Elapsed.TotalSeconds, 6),
        };

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

    /// <summary>Reports the end of one of several sources that was not copied.</summary>
    public static void AddEnded(ObjectReport report, Outcome outcome, Location source, Location target, bool moves)
    {
        ReportJson line = Copy(source, target, moves);
        if (outcome.Error is { } error)
        {
            report.AddFailure(line, error);
        }
        else
        {
            report.Add(outcome.Status == OutcomeStatus.Planned ? line with { Status = ReportJson.Done, Bytes = outcome.Bytes } : NotCopied(line, outcome.Status));
        }
    }

    /// <summary>Reports the end of an operation on one of many objects.</summary>
    public static void Add(ObjectReport report, Outcome outcome, bool moves)
    {
        bool deletes = outcome.Operation == ObjectOperation.Delete;
        bool isDone = outcome.Status is OutcomeStatus.Done or OutcomeStatus.Planned;
        ReportJson line = new()
        {
            Operation = moves ? "move" : outcome.Operation is { } operation ? GetName(operation) : null,
            Status = GetStatus(outcome.Status),
            Source = deletes ? null : outcome.Source,
            Target = outcome.Target,
            VersionId = outcome.VersionId,
            Bytes = isDone || outcome.Bytes > 0 ? outcome.Bytes : null, // what wasn't looked up has no size
            SourceETag = outcome.SourceETag,
            TargetETagBefore = outcome.TargetETagBefore,
            TargetETag = outcome.TargetETag,
            Reason = outcome.Operation is null ? null : GetReason(outcome),
        };
        if (outcome.Error is { } error)
        {
            report.AddFailure(line, error);
        }
        else
        {
            report.Add(WithContent(line, outcome.Verdict, outcome.LostProperties));
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

    private static ReportJson NotCopied(ReportJson line, OutcomeStatus status) => line with
    {
        Status = GetStatus(status),
        Reason = status is OutcomeStatus.Archived or OutcomeStatus.Restoring ? "archived" : null,
    };

    private static ReportJson WithResult(ReportJson line, long bytes, ChecksumVerdict? verdict, IReadOnlyList<string> lost, string? sourceETag, string? targetETag)
        => WithContent(line, verdict, lost) with
        {
            Status = ReportJson.Done,
            Bytes = bytes,
            SourceETag = sourceETag,
            TargetETag = targetETag,
        };

    private static ReportJson WithContent(ReportJson line, ChecksumVerdict? verdict, IReadOnlyList<string> lost) => line with
    {
        Checksum = verdict is null ? null : ChecksumJson.From(verdict),
        Lost = lost.Count == 0 ? null : lost,
    };

    /// <summary>Gets an address that means the same in every directory; null if there is none.</summary>
    private static string? GetAddress(Location location)
        => location.Kind != LocationKind.Local ? location.ToString() : location.Text.Length == 0 ? null : Path.GetFullPath(location.Text);
}
