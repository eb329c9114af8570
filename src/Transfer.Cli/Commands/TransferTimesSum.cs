namespace Transfer.S3.Cli.Commands;

/// <summary>Adds up the times of several copies.</summary>
internal sealed class TransferTimesSum
{
    private readonly Dictionary<Bottleneck, TimeSpan> _bottlenecks = [];
    private TransferTimes _sum = new();

    public void Add(TransferTimes times, TimeSpan elapsed)
    {
        _bottlenecks[times.Bottleneck] = _bottlenecks.GetValueOrDefault(times.Bottleneck) + elapsed;
        _sum = new TransferTimes
        {
            WaitingForSlot = _sum.WaitingForSlot + times.WaitingForSlot,
            WaitingForMemory = _sum.WaitingForMemory + times.WaitingForMemory,
            WaitingForReader = _sum.WaitingForReader + times.WaitingForReader,
            WaitingForSource = _sum.WaitingForSource + times.WaitingForSource,
            Disk = _sum.Disk + times.Disk,
            FirstByte = _sum.FirstByte + times.FirstByte,
            Data = _sum.Data + times.Data,
            Processing = _sum.Processing + times.Processing,
            ThrottlingBackoff = _sum.ThrottlingBackoff + times.ThrottlingBackoff,
            Backoff = _sum.Backoff + times.Backoff,
            RateLimit = _sum.RateLimit + times.RateLimit,
            Paused = _sum.Paused + times.Paused,
        };
    }

    /// <summary>Gets the sums. The bottleneck is the one that limited the copies for the longest time; null if there was no copy.</summary>
    public TransferTimes? ToTimes() => _bottlenecks.Count == 0 ? null : _sum with { Bottleneck = _bottlenecks.MaxBy(pair => pair.Value).Key };
}
