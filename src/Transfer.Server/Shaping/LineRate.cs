namespace Transfer.S3.Server.Shaping;

/// <summary>A rate that can change while data is being paced. Thread-safe.</summary>
internal sealed class LineRate(long? bytesPerSecond)
{
    private long _bytesPerSecond = bytesPerSecond ?? 0; // 0 is no limit

    /// <summary>Gets or sets the rate, in bytes per second; <see langword="null"/> for no limit.</summary>
    public long? BytesPerSecond
    {
        get => Volatile.Read(ref _bytesPerSecond) is > 0 and long rate ? rate : null;
        set => Volatile.Write(ref _bytesPerSecond, value ?? 0);
    }
}
