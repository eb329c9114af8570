namespace Transfer.S3.Wire.Http;

/// <summary>
/// Limits how often a provider of credentials is asked after a failure, or after a renewal. All requests of a client share it: hundreds of them can need credentials
/// at the moment when the provider fails.
/// </summary>
internal sealed class ProviderPause(TimeProvider time)
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private Exception? _failure;
    private TimeSpan _pause;
    private long _since;

    /// <summary>Gets a value that indicates whether the provider can be asked.</summary>
    /// <param name="failure">The failure of the last time, if the pause after it isn't over; otherwise, null.</param>
    public bool IsOver(out Exception? failure)
    {
        lock (_gate)
        {
            bool isOver = _pause == TimeSpan.Zero || time.GetElapsedTime(_since) >= _pause;
            failure = isOver ? null : _failure;
            return isOver;
        }
    }

    /// <summary>Begins a pause, which is twice as long as the last one.</summary>
    public void Failed(Exception failure)
    {
        lock (_gate)
        {
            TimeSpan next = _failure is null ? Shortest : 2 * _pause;
            (_failure, _pause, _since) = (failure, next < Longest ? next : Longest, time.GetTimestamp());
        }
    }

    /// <summary>Ends the pause, or begins one of a given length.</summary>
    public void Succeeded(TimeSpan pause = default)
    {
        lock (_gate)
        {
            (_failure, _pause, _since) = (null, pause, time.GetTimestamp());
        }
    }
}
