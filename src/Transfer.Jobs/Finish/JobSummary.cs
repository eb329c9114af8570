using Transfer.S3.Jobs;

namespace Transfer.S3;

/// <summary>How a job has ended.</summary>
public sealed record JobSummary
{
    /// <summary>Gets the ID of the plan.</summary>
    public required string Plan { get; init; }

    /// <summary>Gets when the results were reviewed.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>Gets the number of planned objects.</summary>
    public long Items { get; init; }

    /// <summary>Gets the number of objects that are done, and whose targets are still as they were written.</summary>
    public long Done { get; init; }

    /// <summary>Gets the number of those whose result was lost, but whose target is what they make.</summary>
    public long Already { get; init; }

    /// <summary>Gets the number of objects whose source or target has changed since the job was planned.</summary>
    public long Conflicts { get; init; }

    /// <summary>Gets the number of other objects whose last attempt failed.</summary>
    public long Failed { get; init; }

    /// <summary>Gets the number of objects without a result, or of which a piece has none.</summary>
    public long Missing { get; init; }

    /// <summary>Gets the indices of the shards that have items without a result. They can run again.</summary>
    public IReadOnlyList<int> MissingShards { get; init; } = [];

    /// <summary>Gets the number of objects that were done, and whose targets have been changed or deleted since then.</summary>
    public long Changed { get; init; }

    /// <summary>Gets the number of names that could not be planned.</summary>
    public long Refused { get; init; }

    /// <summary>Gets the number of huge objects that <see cref="TransferJob.PreviewFinishAsync"/> has found to be ready, so that the end of the job completes them; 0 otherwise.</summary>
    public long Completions { get; init; }

    /// <summary>Gets the requests that the end of the job sends in addition to those of <see cref="TransferJob.PreviewFinishAsync"/>, which returns it; zero otherwise.</summary>
    public StoreUsage Estimate { get; init; }

    /// <summary>Gets the number of objects that are ready and were not published, because others aren't, their targets have changed, or something that comes before them failed (<see cref="JobPlan.PublishesAllAtOnce"/>).</summary>
    public long Unpublished { get; init; }

    /// <summary>Gets the time in which readers could see some of the new objects and not all; <see langword="null"/> if they were not published all at once.</summary>
    public TimeSpan? PublishWindow { get; init; }

    /// <summary>Gets the number of targets that are deleted.</summary>
    public long Deleted { get; init; }

    /// <summary>Gets the number of targets that could not be deleted, or have changed since the job was planned.</summary>
    public long NotDeleted { get; init; }

    /// <summary>Gets the number of targets that were not deleted because something else failed.</summary>
    public long Withheld { get; init; }

    /// <summary>Gets the number of bytes of the objects that are done.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the number of incomplete multipart uploads of the job that were aborted.</summary>
    public long AbortedUploads { get; init; }

    /// <summary>Gets the number of planned keys with an incomplete multipart upload that was created after the plan and isn't known to be the job's.</summary>
    public long OtherUploads { get; init; }

    /// <summary>Gets the number of damaged lines in the results. Their objects count only if another attempt found their targets done.</summary>
    public long DamagedLines { get; init; }

    /// <summary>Gets some of the failures. Objects without a result are not among them: see <see cref="MissingShards"/>.</summary>
    public IReadOnlyList<JobFailure> Failures { get; init; } = [];

    /// <summary>Gets a value that indicates whether everything that was planned is done.</summary>
    public bool IsComplete { get; init; }

    /// <summary>Counts one object.</summary>
    /// <param name="line">How it ended.</param>
    /// <param name="isChanged">Whether its target has changed since then.</param>
    internal JobSummary With(JobLine line, bool isChanged) => isChanged ? this with { Changed = Changed + 1 } : line.Status switch
    {
        JobLine.Done or JobLine.Already => this with
        {
            Done = Done + 1,
            Already = Already + (line.Status == JobLine.Already ? 1 : 0),
            Bytes = Bytes + (line.Bytes ?? 0),
        },
        JobLine.Conflict => this with { Conflicts = Conflicts + 1 },
        JobLine.Missing => this with { Missing = Missing + 1 },
        JobLine.Ready => this with { Unpublished = Unpublished + 1 },
        _ => this with { Failed = Failed + 1 },
    };
}
