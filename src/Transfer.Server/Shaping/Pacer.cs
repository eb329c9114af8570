namespace Transfer.Server.Shaping;

/// <summary>Hands out the time of a line: each run of bytes gets the slot behind the one before it.</summary>
/// <remarks>A new rate is for the runs that follow. Slots that were handed out keep their length.</remarks>
internal sealed class Pacer(LineRate rate, TimeProvider time)
{
    // A line that was idle may catch up this much, so that late timers do not lower the rate.
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(20);
    private readonly Lock _lock = new();
    private double _free = time.GetTimestamp();

    public long? BytesPerSecond => rate.BytesPerSecond;

    /// <summary>Takes a slot.</summary>
    /// <returns>How long until the bytes have passed; not positive when they have already.</returns>
    public TimeSpan Reserve(long bytes)
    {
        if (rate.BytesPerSecond is not long bytesPerSecond)
        {
            return TimeSpan.Zero;
        }

        double now = time.GetTimestamp();
        double end;
        lock (_lock)
        {
            _free = Math.Max(_free, now - (Slack.TotalSeconds * time.TimestampFrequency)) + (bytes * (time.TimestampFrequency / (double)bytesPerSecond));
            end = _free;
        }

        return TimeSpan.FromSeconds((end - now) / time.TimestampFrequency);
    }
}
