namespace Transfer.S3.Server.Shaping;

/// <summary>Paces data to a rate: each piece of data gets a time slot after the previous one.</summary>
/// <remarks>A new rate applies to later pieces. Slots that are already reserved keep their length.</remarks>
internal sealed class Pacer(LineRate rate, TimeProvider time)
{
    // After an idle period, data can be sent up to this much ahead of the rate, so that late timers don't reduce it.
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(20);
    private readonly Lock _lock = new();
    private double _free = time.GetTimestamp();

    public long? BytesPerSecond => rate.BytesPerSecond;

    /// <summary>Reserves a slot.</summary>
    /// <returns>The time until the bytes have been transferred; zero or negative if they already have been.</returns>
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
