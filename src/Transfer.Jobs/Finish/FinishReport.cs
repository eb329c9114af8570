using System.Text.Json;

namespace Transfer.S3.Jobs;

/// <summary>Counts what a job has done.</summary>
internal sealed class FinishReport(JobPlan plan)
{
    private const int MaxFailures = 1_000;

    private readonly List<JobFailure> _failures = [];
    private readonly List<int> _missing = [];
    private JobSummary _sum = new() { Plan = plan.Id, Items = plan.Objects };

    /// <summary>Gets a value that indicates whether everything is done but the deletions.</summary>
    public bool HasAll => _sum.Done == plan.Objects && plan.Refused == 0;

    /// <summary>Gets or sets the time in which all objects were published; null if they weren't all at once.</summary>
    public TimeSpan? PublishWindow { get; set; }

    /// <summary>Gets or sets the number of targets that are not deleted because something failed.</summary>
    public long Withheld { get; set; } = plan.Withheld;

    public void Add(ShardReview review)
    {
        JobSummary one = review.Sum;
        _sum = _sum with
        {
            Done = _sum.Done + one.Done,
            Already = _sum.Already + one.Already,
            Conflicts = _sum.Conflicts + one.Conflicts,
            Failed = _sum.Failed + one.Failed,
            Missing = _sum.Missing + one.Missing,
            Unpublished = _sum.Unpublished + one.Unpublished,
            Changed = _sum.Changed + one.Changed,
            Bytes = _sum.Bytes + one.Bytes,
            DamagedLines = _sum.DamagedLines + one.DamagedLines,
        };
        _missing.AddRange(one.MissingShards);
        foreach (JobFailure failure in one.Failures)
        {
            Add(failure);
        }
    }

    /// <summary>Adds a huge object.</summary>
    public void AddObject(JobLine line, bool isChanged)
    {
        _sum = _sum.With(line, isChanged);
        if (!line.IsDone && line.Status is not (JobLine.Missing or JobLine.Ready)) // the shard of the piece is among those without a result
        {
            Add(line.ToFailure());
        }
    }

    public void AddRefused(string line)
    {
        JobLine refused = JsonSerializer.Deserialize(line, JobJson.Default.JobLine)!;
        _sum = _sum with { Refused = _sum.Refused + 1 };
        Add(refused.ToFailure());
    }

    public void AddDeletion(JobLine line)
    {
        bool isDone = line.Status == JobLine.Done;
        _sum = _sum with { Deleted = _sum.Deleted + (isDone ? 1 : 0), NotDeleted = _sum.NotDeleted + (isDone ? 0 : 1) };
        if (!isDone)
        {
            Add(line.ToFailure());
        }
    }

    public JobSummary ToSummary(DateTimeOffset time) => _sum with
    {
        Time = time,
        Withheld = Withheld,
        PublishWindow = PublishWindow,
        Failures = [.. _failures],
        MissingShards = [.. _missing],
        IsComplete = HasAll && _sum.NotDeleted == 0 && Withheld == 0,
    };

    private void Add(JobFailure failure)
    {
        if (_failures.Count < MaxFailures)
        {
            _failures.Add(failure);
        }
    }
}
