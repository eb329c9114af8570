namespace Transfer.Server.Shaping;

/// <summary>Hands out the time of a line of fixed rate: each run of bytes gets the slot behind the one before it.</summary>
internal sealed class Pacer(long bytesPerSecond, TimeProvider time)
{
    // A line that was idle may catch up this much, so that late timers do not lower the rate.
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(20);
    private readonly Lock _lock = new();
    private readonly double _ticksPerByte = time.TimestampFrequency / (double)bytesPerSecond;
    private double _free = time.GetTimestamp();

    public long BytesPerSecond => bytesPerSecond;

    /// <summary>Takes a slot.</summary>
    /// <returns>How long until the bytes have passed; not positive when they have already.</returns>
    public TimeSpan Reserve(long bytes)
    {
        double now = time.GetTimestamp();
        double end;
        lock (_lock)
        {
            _free = Math.Max(_free, now - (Slack.TotalSeconds * time.TimestampFrequency)) + (bytes * _ticksPerByte);
            end = _free;
        }

        return TimeSpan.FromSeconds((end - now) / time.TimestampFrequency);
    }
}
