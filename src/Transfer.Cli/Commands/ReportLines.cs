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
    public static ReportJson NotCopied(Location source, Location target, bool moves, ObjectStatus status) => NotCopied(Copy(source, target, moves), status);

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

    /// <summary>Reports the end of a copy or a move of one of many objects.</summary>
    public static void AddCopy(ObjectReport report, ObjectOutcome outcome, Location source, Location target, bool moves)
    {
        ReportJson line = Copy(source, target, moves);
        switch (outcome.Status)
        {
            case ObjectStatus.Failed:
                report.AddFailure(line with { Bytes = KnownSize(outcome.Bytes) }, outcome.Error!);
                break;
            case ObjectStatus.Skipped or ObjectStatus.Archived or ObjectStatus.Restoring:
                report.Add(NotCopied(line, outcome.Status) with { Bytes = KnownSize(outcome.Bytes) });
                break;
            default:
                report.Add(WithResult(line, outcome.Bytes, outcome.Verdict, outcome.LostProperties, outcome.SourceETag, target.Kind == LocationKind.S3 ? outcome.ETag : null));
                break;
        }
    }

    /// <summary>Reports the end of a deletion of one of many objects.</summary>
    public static void AddDeletion(ObjectReport report, ObjectOutcome outcome, Location address)
    {
        ReportJson line = Deleted(address with { Key = outcome.Key }, outcome.Bytes, outcome.ETag, outcome.VersionId);
        if (outcome.Error is null)
        {
            report.Add(line);
        }
        else
        {
            report.AddFailure(line, outcome.Error);
        }
    }

    /// <summary>Reports the end of an action of a synchronization.</summary>
    public static void AddSync(ObjectReport report, SyncOutcome outcome, FolderPlan plan)
    {
        SyncAction action = outcome.Action;
        Exception? error = outcome.Error ?? action.Error;
        bool deletes = action.Kind is SyncActionKind.Delete or SyncActionKind.Shield;
        ReportJson line = new()
        {
            Operation = deletes ? Delete : action.Kind == SyncActionKind.Replace ? "replace" : action.Kind == SyncActionKind.Copy ? "copy" : null,
            Status = outcome.IsConflict || action.Kind == SyncActionKind.Conflict ? ReportJson.Conflict : action.Kind == SyncActionKind.Shield ? ReportJson.Skipped : ReportJson.Done,
            Source = deletes ? null : plan.GetSource(action.Name),
            Target = plan.GetTarget(action.Name),
            Bytes = action.Bytes,
            SourceETag = outcome.SourceETag,
            TargetETagBefore = outcome.TargetETagBefore,
            TargetETag = outcome.TargetETag,
            Reason = action.Error is null ? action.Reason : null,
        };
        if (error is not null)
        {
            report.AddFailure(line, error);
        }
        else
        {
            report.Add(WithContent(line, outcome.Verdict, outcome.LostProperties));
        }
    }

    private static ReportJson NotCopied(ReportJson line, ObjectStatus status) => line with
    {
        Status = status == ObjectStatus.Restoring ? ReportJson.Restoring : ReportJson.Skipped,
        Reason = status is ObjectStatus.Archived or ObjectStatus.Restoring ? "archived" : null,
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

    // An object that wasn't looked up has no size.
    private static long? KnownSize(long bytes) => bytes == 0 ? null : bytes;

    /// <summary>Gets an address that means the same in every directory; null if there is none.</summary>
    private static string? GetAddress(Location location)
        => location.Kind != LocationKind.Local ? location.ToString() : location.Text.Length == 0 ? null : Path.GetFullPath(location.Text);
}
