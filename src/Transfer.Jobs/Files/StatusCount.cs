namespace Transfer.S3.Jobs;

/// <summary>Counts the items of shards that are not finished.</summary>
/// <param name="begin">The status with the shards that are.</param>
/// <param name="maxFailures">The number of failures to keep.</param>
internal sealed class StatusCount(JobStatus begin, int maxFailures)
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, JobFailure> _failures = new(StringComparer.Ordinal);
    private JobStatus _sum = begin;

    public void Add(ShardResults results, long items)
    {
        for (long item = 0; item < items; item++)
        {
            JobLine? line = results.Find(item);
            bool isDone = line is { IsDone: true };
            long bytes = isDone ? line!.Bytes ?? 0 : results.FindParts(item).Sum(static part => part.Bytes);
            if (line is null && bytes == 0)
            {
                continue;
            }

            lock (_gate)
            {
                _sum = _sum with
                {
                    Done = _sum.Done + (isDone ? 1 : 0),
                    Bytes = _sum.Bytes + bytes,
                    Conflicts = _sum.Conflicts + (line?.Status == JobLine.Conflict ? 1 : 0),
                    Failed = _sum.Failed + (line?.Status == JobLine.Failed ? 1 : 0),
                };
                if (!isDone && _failures.Count < maxFailures && line?.Target is { } name)
                {
                    _failures[name] = line.ToFailure();
                }
            }
        }
    }

    public JobStatus ToStatus() => _sum with { Failures = [.. _failures.Values] };
}
