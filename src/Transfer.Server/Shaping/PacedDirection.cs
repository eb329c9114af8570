namespace Transfer.S3.Server.Shaping;

/// <summary>One direction of a connection. Data must pass both the limit of the connection and the shared one.</summary>
internal sealed class PacedDirection(Pacer own, Pacer shared, TimeProvider time)
{
    private const long SmallestSlice = 4 << 10;
    private const long LargestSlice = 64 << 10;
    private const long SlicesPerSecond = 200;

    /// <summary>
    /// Gets the maximum number of bytes to send at once, so that data flows steadily at low rates instead of in bursts; null if there is no limit.
    /// </summary>
    public long? SliceBytes
    {
        get
        {
            long rate = Math.Min(own.BytesPerSecond ?? long.MaxValue, shared.BytesPerSecond ?? long.MaxValue);
            return rate == long.MaxValue ? null : Math.Clamp(rate / SlicesPerSecond, SmallestSlice, LargestSlice);
        }
    }

    public ValueTask PassAsync(long bytes, CancellationToken cancellationToken)
    {
        TimeSpan wait = own.Reserve(bytes);
        TimeSpan sharedWait = shared.Reserve(bytes);
        wait = wait > sharedWait ? wait : sharedWait;
        return wait > TimeSpan.Zero ? new ValueTask(Task.Delay(wait, time, cancellationToken)) : ValueTask.CompletedTask;
    }
}
