namespace Transfer.S3.Jobs;

/// <summary>Counts the items of shards that are not finished.</summary>
internal sealed class StatusCount(int maxFailures)
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, JobFailure> _failures = new(StringComparer.Ordinal);

    public long Done { get; private set; }

    public long Bytes { get; private set; }

    public long Conflicts { get; private set; }

    public long Failed { get; private set; }

    public IReadOnlyList<JobFailure> Failures => [.. _failures.Values];

    public void Add(ShardResults results, long items)
    {
        for (long item = 0; item < items; item++)
        {
            long parts = results.IsDone(item) ? 0 : results.FindParts(item).Sum(static part => part.Bytes);
            if (results.Find(item) is not { } line)
            {
                lock (_gate)
                {
                    Bytes += parts;
                }

                continue;
            }

            lock (_gate)
            {
                Done += line.IsDone ? 1 : 0;
                Bytes += line.IsDone ? line.Bytes ?? 0 : parts;
                Conflicts += line.Status == JobLine.Conflict ? 1 : 0;
                Failed += line.Status == JobLine.Failed ? 1 : 0;
                if (!line.IsDone && _failures.Count < maxFailures && line.Target is { } name)
                {
                    _failures[name] = line.ToFailure();
                }
            }
        }
    }
}
