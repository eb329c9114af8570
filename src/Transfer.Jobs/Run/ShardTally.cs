using Transfer.S3.Requests;

namespace Transfer.S3.Jobs;

/// <summary>Counts the items of a run of a shard.</summary>
internal sealed class ShardTally(Action<JobFailure>? failed, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<JobFailure> _listener = new(failed, whole);
    private long _bytes;
    private long _conflicts;
    private long _failed;

    public long Done { get; private set; }

    public long Already { get; private set; }

    /// <summary>Gets the number of pieces among <see cref="Done"/>.</summary>
    public long DonePieces { get; private set; }

    public long Ended => Done + Already + _conflicts + _failed;

    public void Add(JobLine line, bool isPiece)
    {
        lock (_gate)
        {
            Done += line.Status == JobLine.Done ? 1 : 0;
            DonePieces += line.Status == JobLine.Done && isPiece ? 1 : 0;
            Already += line.Status == JobLine.Already ? 1 : 0;
            _conflicts += line.Status == JobLine.Conflict ? 1 : 0;
            _failed += line.Status == JobLine.Failed ? 1 : 0;
            _bytes += line.Status == JobLine.Done ? (line.Bytes ?? 0) - line.Resumed : 0;
        }

        if (!line.IsDone)
        {
            _listener.Tell(line.ToFailure());
        }
    }

    public JobShardResult AddTo(JobShardResult result) => result with
    {
        Done = Done,
        DonePieces = DonePieces,
        Already = Already,
        Conflicts = _conflicts,
        Failed = _failed,
        Bytes = _bytes,
        Statistics = whole.GetStatistics(),
    };
}
