using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>Finds what limits one transfer, from its times and the state of the queue.</summary>
/// <param name="clock">The times of the transfer.</param>
/// <param name="direction">The direction of the transfer.</param>
/// <param name="flow">The transfer in the queue.</param>
/// <param name="queue">The queue; null if it isn't known.</param>
internal sealed class BottleneckMeter(TransferClock clock, TransferDirection direction, TransferFlow flow, RequestQueue? queue)
{
    private RecentTimes? _recentTimes;
    private Bottleneck _recent;
    private int _objectsInProgress;

    /// <summary>Counts an object that begins, in a transfer of many objects.</summary>
    public void BeginObject() => Interlocked.Increment(ref _objectsInProgress);

    /// <summary>Counts an object that has ended.</summary>
    public void EndObject() => Interlocked.Decrement(ref _objectsInProgress);

    /// <summary>Gets the times so far, and what limited the transfer in all of them.</summary>
    public TransferTimes GetTimes()
    {
        TransferTimeSums sums = clock.Sums;
        return GetTimes(sums, clock.Running, sums[TransferTimeKind.Objects]);
    }

    /// <summary>
    /// Finds what limited the transfer in the last seconds. While nothing is known, because parts of a slow link take longer than that, the answer stays the same.
    /// It isn't thread-safe.
    /// </summary>
    public Bottleneck FindRecent()
    {
        (TransferTimeSums recent, TimeSpan elapsed) = (_recentTimes ??= new RecentTimes()).Update(clock.SumsNow, clock.Running);
        TimeSpan inProgress = elapsed * Volatile.Read(ref _objectsInProgress); // large objects add their time only at their end
        TimeSpan objects = recent[TransferTimeKind.Objects];
        Bottleneck bottleneck = GetTimes(recent, elapsed, objects > inProgress ? objects : inProgress).Bottleneck;
        return _recent = bottleneck == Bottleneck.None ? _recent : bottleneck;
    }

    /// <param name="sums">The times by kind.</param>
    /// <param name="elapsed">The time in which they were added.</param>
    /// <param name="objects">The sum of the times of the objects, in a transfer of many objects.</param>
    private TransferTimes GetTimes(in TransferTimeSums sums, TimeSpan elapsed, TimeSpan objects)
    {
        TimeSpan received = sums[TransferTimeKind.Receiving] - sums[TransferTimeKind.Data] - sums[TransferTimeKind.Disk] - sums[TransferTimeKind.RateLimit];
        TransferTimes times = new()
        {
            WaitingForSlot = sums[TransferTimeKind.Slot] + sums[TransferTimeKind.ChosenSlot],
            WaitingForMemory = sums[TransferTimeKind.Memory],
            WaitingForReader = sums[TransferTimeKind.Reader],
            WaitingForSource = sums[TransferTimeKind.Source],
            Disk = sums[TransferTimeKind.Disk],
            FirstByte = sums[TransferTimeKind.FirstByte],
            Data = sums[TransferTimeKind.Data],
            Processing = received > TimeSpan.Zero ? received : TimeSpan.Zero,
            Backoff = sums[TransferTimeKind.Backoff],
            ThrottlingBackoff = sums[TransferTimeKind.ThrottlingBackoff],
            RateLimit = sums[TransferTimeKind.RateLimit],
            Paused = clock.Paused,
        };
        Bottleneck bottleneck = BottleneckRules.Find(
            times,
            objects > elapsed ? objects : elapsed,
            elapsed,
            sums[TransferTimeKind.ChosenSlot],
            queue?.GetState(flow.Direction) ?? default,
            direction == TransferDirection.Copy);
        return times with { Bottleneck = bottleneck };
    }
}
