using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The plan of a job. It contains no secrets.</summary>
public sealed record JobPlan
{
    /// <summary>The version of the format.</summary>
    internal const int CurrentVersion = 1;

    /// <summary>Gets the version of the format.</summary>
    public required int Version { get; init; }

    /// <summary>Gets the ID of the plan, which is random.</summary>
    public required string Id { get; init; }

    /// <summary>Gets when the plan was complete.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>Gets a value that indicates whether the job is a synchronization.</summary>
    public bool IsSync { get; init; }

    /// <summary>Gets a value that indicates whether the source and the target are in different stores.</summary>
    public bool HasTwoStores { get; init; }

    /// <summary>Gets the source.</summary>
    public required Place Source { get; init; }

    /// <summary>Gets the target.</summary>
    public required Place Target { get; init; }

    /// <summary>Gets the number of items, which are the objects to copy and the pieces of huge objects.</summary>
    public long Items { get; init; }

    /// <summary>Gets the number of items that are pieces of huge objects.</summary>
    public long Pieces { get; init; }

    /// <summary>Gets the number of huge objects that are divided into pieces.</summary>
    public int SplitObjects { get; init; }

    /// <summary>Gets the number of huge objects that are copied as a whole, because the target is a folder or the source has no ETag.</summary>
    public long UnsplitObjects { get; init; }

    /// <summary>Gets the number of objects to copy.</summary>
    [JsonIgnore]
    public long Objects => Items - Pieces + SplitObjects;

    /// <summary>Gets a value that indicates whether <see cref="TransferJob.FinishAsync"/> publishes all objects at once (<see cref="SyncOptions.Publish"/>).</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool PublishesAllAtOnce { get; init; }

    /// <summary>Gets the number of bytes to copy.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the requests and the content that the copies take, without failures, and without the files of the job.</summary>
    public StoreUsage Estimate { get; init; }

    /// <summary>Gets the number of targets that stay as they are.</summary>
    public long Kept { get; init; }

    /// <summary>Gets the number of names that can't be copied, with the reasons in the report of the job.</summary>
    public long Refused { get; init; }

    /// <summary>Gets the number of targets that are deleted at the end of the job.</summary>
    public long Deletions { get; init; }

    /// <summary>Gets the number of targets that are not deleted because of <see cref="Refused"/>.</summary>
    public long Withheld { get; init; }

    /// <summary>Gets the guarantees that the stores don't give, in sentences.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets the shards, the one with the highest cost first.</summary>
    public required IReadOnlyList<JobShard> Shards { get; init; }
}
