using System.Text.Json.Serialization;

namespace Transfer;

/// <summary>How a job has ended.</summary>
public sealed record JobSummary
{
    /// <summary>Gets the ID of the plan.</summary>
    public required string Plan { get; init; }

    /// <summary>Gets when the results were reviewed.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>Gets the number of planned items.</summary>
    public long Items { get; init; }

    /// <summary>Gets the number of items that are done, and whose targets are still as they were written.</summary>
    public long Done { get; init; }

    /// <summary>Gets the number of those whose result was lost, but whose target is what they make.</summary>
    public long Already { get; init; }

    /// <summary>Gets the number of items whose source or target has changed since the job was planned.</summary>
    public long Conflicts { get; init; }

    /// <summary>Gets the number of other items whose last attempt failed.</summary>
    public long Failed { get; init; }

    /// <summary>Gets the number of items without a result.</summary>
    public long Missing { get; init; }

    /// <summary>Gets the number of items that were done, and whose targets have been changed or deleted since then.</summary>
    public long Changed { get; init; }

    /// <summary>Gets the number of names that could not be planned.</summary>
    public long Refused { get; init; }

    /// <summary>Gets the number of targets that are deleted.</summary>
    public long Deleted { get; init; }

    /// <summary>Gets the number of targets that could not be deleted, or have changed since the job was planned.</summary>
    public long NotDeleted { get; init; }

    /// <summary>Gets the number of targets that were not deleted because something else failed.</summary>
    public long Withheld { get; init; }

    /// <summary>Gets the number of bytes of the items that are done.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the number of incomplete multipart uploads of the job that were aborted.</summary>
    public long AbortedUploads { get; init; }

    /// <summary>Gets the number of damaged lines in the results. Their items count only if another attempt found their targets done.</summary>
    public long DamagedLines { get; init; }

    /// <summary>Gets some of the failures.</summary>
    public IReadOnlyList<JobFailure> Failures { get; init; } = [];

    /// <summary>Gets a value that indicates whether everything that was planned is done.</summary>
    public bool IsComplete { get; init; }

    [JsonIgnore]
    internal bool HasAll => Done == Items && Refused == 0;
}
