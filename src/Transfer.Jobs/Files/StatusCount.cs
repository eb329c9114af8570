namespace Transfer.S3.Jobs;

/// <summary>Counts the items of shards that are not finished.</summary>
/// <param name="begin">The status with the shards that are.</param>
/// <param name="maxFailures">The number of failures to keep.</param>
internal sealed class StatusCount(JobStatus begin, int maxFailures)
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, JobFailure> _failures = new(StringComparer.Ordinal);
    private JobStatus _sum = begin;

    /// <summary>Adds the items of a shard. Only what failed is counted item by item.</summary>
    public void Add(ShardResults results, long items)
    {
        (long done, long bytes) = (0, 0);
        for (long item = 0; item < items; item++)
        {
            JobLine? line = results.Find(item);
            bool isDone = line is { IsDone: true };
            done += isDone ? 1 : 0;
            bytes += isDone ? line!.Bytes ?? 0 : results.FindParts(item).Sum(static part => part.Bytes);
            if (line is not null && !isDone)
            {
                AddFailure(line);
            }
        }

        lock (_gate)
        {
            _sum = _sum with { Done = _sum.Done + done, Bytes = _sum.Bytes + bytes };
        }
    }

    public JobStatus ToStatus() => _sum with { Failures = [.. _failures.Values] };

    private void AddFailure(JobLine line)
    {
        lock (_gate)
        {
            _sum = _sum with { Conflicts = _sum.Conflicts + (line.Status == JobLine.Conflict ? 1 : 0), Failed = _sum.Failed + (line.Status == JobLine.Failed ? 1 : 0) };
            if (_failures.Count < maxFailures && line.Target is { } name)
            {
                _failures[name] = line.ToFailure();
            }
        }
    }
}
