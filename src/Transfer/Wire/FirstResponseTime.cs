namespace Transfer.S3.Wire;

/// <summary>
/// The time from a client's first successful request to the first byte of its response, as its connection sees it. Unlike the time that the caller waits, it
/// doesn't contain the connecting, and hardly any of the start of the process.
/// </summary>
internal sealed class FirstResponseTime
{
    private const long Unknown = -1;
    private long _ticks = Unknown;

    /// <summary>Gets the time; null if it isn't known, or if other code connects to the store.</summary>
    public TimeSpan? Value => Volatile.Read(ref _ticks) is >= 0 and var ticks ? new TimeSpan(ticks) : null;

    /// <summary>Sets the time, unless it is known.</summary>
    public void Set(TimeSpan value) => Interlocked.CompareExchange(ref _ticks, value.Ticks, Unknown);
}
