using Transfer.S3.Requests;

namespace Transfer.S3.Jobs;

/// <summary>Counts the items of a run of a shard.</summary>
internal sealed class ShardTally(JobShardResult begin, Action<JobFailure>? failed, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<JobFailure> _listener = new(failed, whole);
    private JobShardResult _sum = begin;

    /// <summary>Gets a value that indicates whether every item has ended, in this run or before.</summary>
    public bool IsComplete => _sum.DoneBefore + _sum.Done + _sum.Already + _sum.Conflicts + _sum.Failed >= _sum.Items;

    public void Add(JobLine line, bool isPiece)
    {
        lock (_gate)
        {
            _sum = line.Status switch
            {
                JobLine.Done => _sum with { Done = _sum.Done + 1, DonePieces = _sum.DonePieces + (isPiece ? 1 : 0), Bytes = _sum.Bytes + (line.Bytes ?? 0) - line.Resumed },
                JobLine.Already => _sum with { Already = _sum.Already + 1 },
                JobLine.Conflict => _sum with { Conflicts = _sum.Conflicts + 1 },
                _ => _sum with { Failed = _sum.Failed + 1 },
            };
        }

        if (!line.IsDone)
        {
            _listener.Tell(line.ToFailure());
        }
    }

    public JobShardResult ToResult() => _sum with { Statistics = whole.GetStatistics() };
}
