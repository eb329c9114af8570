using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Transfer.S3.Jobs;

/// <summary>What a plan contains, before it is divided among shards.</summary>
/// <param name="sides">The sides of the job.</param>
/// <param name="directory">The directory of temporary files; null for the usual one.</param>
internal sealed class PlanContent(JobSides sides, string? directory) : IDisposable
{
    public JobSides Sides => sides;

    public bool IsSync { get; init; }

    /// <summary>Gets a value that indicates whether the items are in the order of their names.</summary>
    public bool IsOrdered { get; init; }

    public bool SkipsExisting { get; init; }

    public bool DeletesDespiteFailures { get; init; }

    public bool DeletesExcluded { get; init; }

    public required PlannedOptions Options { get; init; }

    /// <summary>Gets the size above which an object is divided among several items.</summary>
    public required long SplitBytes { get; init; }

    /// <summary>Gets a value that indicates whether all objects are published at the end of the job, so that all are pieces of uploads.</summary>
    public bool PublishesAllAtOnce { get; init; }

    /// <summary>Gets the patterns of the names that are published after all others; null for the default.</summary>
    public IReadOnlyList<string>? PublishLast { get; init; }

    /// <summary>Gets what divides huge objects.</summary>
    public ObjectDivision Division => field ??= new ObjectDivision(sides, Options, SplitBytes, PublishesAllAtOnce);

    public ItemSpool Items { get; } = new(directory);

    /// <summary>Gets the lines of the names that can't be copied.</summary>
    public ItemSpool Refusals { get; } = new(directory);

    public long Bytes { get; private set; }

    /// <summary>Gets or sets what the copies take, if one worker does all of them.</summary>
    public StoreUsage Estimate { get; set; }

    /// <summary>Gets or sets what the first new object of each worker takes in addition.</summary>
    public StoreUsage EstimateOfWorker { get; set; }

    /// <summary>Gets or sets the number of targets that stay as they are.</summary>
    public long Kept { get; set; }

    /// <summary>Gets or sets the number of targets to delete.</summary>
    public long Deleted { get; set; }

    /// <summary>Gets or sets the number of targets that are not deleted because of refusals.</summary>
    public long Withheld { get; set; }

    /// <summary>Gets a value that indicates whether a target is replaced.</summary>
    public bool Replaces { get; private set; }

    /// <summary>Gets or sets the targets to delete, in the order of their names.</summary>
    public IEnumerable<JobItem> Deletions { get; set; } = [];

    /// <summary>Adds an object.</summary>
    public void Add(JobItem item)
    {
        Bytes += item.Bytes;
        Replaces |= item.Target is not null;
        foreach (JobItem one in Division.Divide(item))
        {
            Items.Add(CreateLine(one, JobJson.Default.JobItem), one.Cost, one.CopiedBytes);
        }
    }

    /// <summary>Adds a name that can't be copied.</summary>
    public void Refuse(string name, long bytes, string? etag, Exception error, bool isConflict)
    {
        JobLine line = new()
        {
            Command = "plan",
            Time = sides.Client.Context.Time.GetUtcNow().UtcDateTime,
            Status = isConflict ? JobLine.Conflict : JobLine.Failed,
            Source = sides.Source.GetAddress(name),
            Target = sides.Target.GetAddress(name),
            Bytes = bytes,
            SourceETag = etag,
            Error = error.Message,
            RequestId = (error as TransferException)?.RequestId,
        };
        Refusals.Add(CreateLine(line, JobJson.Default.JobLine), 0, 0);
    }

    /// <summary>Adds the line of a name that an earlier plan of the same job could not contain.</summary>
    public void Refuse(string line) => Refusals.Add([.. System.Text.Encoding.UTF8.GetBytes(line), (byte)'\n'], 0, 0);

    public void Dispose()
    {
        Items.Dispose();
        Refusals.Dispose();
    }

    /// <summary>Gets the line of a value. A line break in a name is escaped.</summary>
    public static byte[] CreateLine<T>(T value, JsonTypeInfo<T> type) => [.. JsonSerializer.SerializeToUtf8Bytes(value, type), (byte)'\n'];
}
